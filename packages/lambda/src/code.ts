import { createHash } from "node:crypto";
import { types } from "node:util";
import type { FunctionCode as FunctionCodeInput } from "@aws-sdk/client-lambda";
import { type AssetStore, simError } from "@sandstack/core";
import { unzip } from "./archive.js";
import { invalidParameter } from "./errors.js";
import { handlerText, handlerTokenOf, isBindingToken } from "./handlers.js";
import type { FunctionCode } from "./state.js";

/**
 * Reads what a function is to run: an archive's bytes, an in-process handler's, or an asset by bucket and key.
 *
 * @throws InvalidParameterValueException (400) for bytes that are no archive, and for an object that is not there
 */
export function readCode(assets: AssetStore, input: FunctionCodeInput | undefined): FunctionCode {
  const { ZipFile, S3Bucket, S3Key, ImageUri } = input ?? {};
  if (ImageUri !== undefined) throw simError("SimUnsupported", `The sandbox runs functions from zip archives; container images (Code.ImageUri ${ImageUri}) are not run. Bind the function to an in-process handler instead.`);
  if (ZipFile !== undefined) {
    if (S3Bucket !== undefined || S3Key !== undefined) throw invalidParameter("Please do not provide other FunctionCode parameters when providing a ZipFile.");
    return codeOfBytes(ZipFile);
  }
  if (S3Bucket === undefined || S3Key === undefined) throw invalidParameter("Please provide a source for function code.");
  const asset = assets.find(S3Bucket, S3Key);
  if (asset === undefined) throw invalidParameter("Error occurred while GetObject. S3 Error Code: NoSuchKey. S3 Error Message: The specified key does not exist.");
  return codeOfFiles(asset.files());
}

function codeOfBytes(bytes: Uint8Array): FunctionCode {
  if (!types.isUint8Array(bytes)) throw invalidParameter("Could not unzip uploaded file. Please check your file, then try to upload again.");
  if (bytes.length === 0) throw invalidParameter("Uploaded file must be a non-empty zip");
  const token = handlerTokenOf(bytes);
  if (token !== undefined) return { kind: "handler", token, isBinding: isBindingToken(token), ...measured(Buffer.from(handlerText(token))) };
  const files = filesOf(bytes);
  if (Object.keys(files).length === 0) throw invalidParameter("Uploaded file must be a non-empty zip");
  return { kind: "archive", files, ...measured(bytes) };
}

function measured(bytes: Uint8Array): { sha256: string; sizeBytes: number } {
  return { sha256: createHash("sha256").update(bytes).digest("base64"), sizeBytes: bytes.length };
}

/** An asset's files come unzipped: its digest and size are those of the files, in the order of their paths. */
function codeOfFiles(files: Readonly<Record<string, Uint8Array>>): FunctionCode {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for (const path of Object.keys(files).sort()) {
    const content = files[path]!; // path is one of the keys
    hash.update(path).update("\0").update(content);
    sizeBytes += content.length;
  }
  return { kind: "archive", files, sha256: hash.digest("base64"), sizeBytes };
}

function filesOf(archive: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzip(archive);
  } catch {
    // Whatever is wrong with the archive, AWS says this.
    throw invalidParameter("Could not unzip uploaded file. Please check your file, then try to upload again.");
  }
}
