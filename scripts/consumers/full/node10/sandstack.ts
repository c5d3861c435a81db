// What many a project has whose tests are CommonJS: no `exports` are read, and the subpaths are found all the same.
import { SimAws } from "sandstack";
import type { CdkDeployOptions } from "sandstack/cdk";
import { SimCloudFormationValidationError } from "sandstack/cloudformation";
import { SimIamNoSuchEntity } from "sandstack/iam";
import { makeLambdaZipFileInput, type SimLambdaSqsEvent } from "sandstack/lambda";
import { SimSdk } from "sandstack/sdk";
import { serveSimAws } from "sandstack/serve";
import { SimSqsQueueDoesNotExist } from "sandstack/sqs";

const simAws = new SimAws();
export const sdk = new SimSdk({ simAws });
export const served = serveSimAws({ simAws });
export const code: Uint8Array = makeLambdaZipFileInput(async ({ Records }: SimLambdaSqsEvent) => void Records.length);
export const options: CdkDeployOptions = { stacks: ["Orders"] };
export const isKnown = (error: unknown): boolean => error instanceof SimSqsQueueDoesNotExist || error instanceof SimIamNoSuchEntity || error instanceof SimCloudFormationValidationError;
// @ts-expect-error the types are really there
export const wrong: number = simAws.clock().now();
