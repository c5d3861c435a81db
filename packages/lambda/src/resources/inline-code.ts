import { makeLambdaCodeZip } from "../handlers.js";
import { CFN_RESPONSE } from "./cfn-response.js";

/** The file that CloudFormation makes of inline text, by the function's runtime. */
function inlineFileOf(runtime: string): string {
  return runtime.startsWith("python") ? "index.py" : "index.js";
}

/** What CloudFormation uploads for a template's `Code.ZipFile`: the text as one file, and, for Node.js, the module for custom resources' answers. */
export function inlineCodeZip(text: string, runtime: string): Uint8Array {
  const file = inlineFileOf(runtime);
  return makeLambdaCodeZip(file === "index.js" ? { [file]: text, "node_modules/cfn-response/index.js": CFN_RESPONSE } : { [file]: text });
}
