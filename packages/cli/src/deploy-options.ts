import { parseArgs } from "node:util";

export const DEPLOY_USAGE = `Deploys a CloudFormation template, or a CDK assembly (cdk.out), into a fresh AWS and tells what came of it.

Usage: npm run deploy -- TEMPLATE_OR_ASSEMBLY [--parameters KEY=VALUE …] [--json]

  TEMPLATE_OR_ASSEMBLY       a template file, JSON or YAML, or the folder of a cloud assembly
  --parameters KEY=VALUE …   template parameters; with an assembly also STACK:KEY=VALUE
  --json                     one JSON object instead of text

Ends with 0 when all is deployed, 1 when a deployment failed, 2 when the options are wrong.
`;

export interface DeployOptions {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/** @throws Error saying what is wrong with the options */
export function readDeployOptions(argv: readonly string[]): DeployOptions | "help" {
  const { values, tokens } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    tokens: true,
    options: { parameters: { type: "string", multiple: true, default: [] }, json: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) return "help";
  const assignments: string[] = [];
  const paths: string[] = [];
  let isParameterList = false;
  for (const token of tokens) {
    if (token.kind === "option") isParameterList = token.name === "parameters";
    if (token.kind === "option" && token.name === "parameters") assignments.push(token.value ?? "");
    // One --parameters takes all that follow and look like KEY=VALUE, as the aws CLI's options do.
    if (token.kind === "positional") (isParameterList && token.value.includes("=") ? assignments : paths).push(token.value);
  }
  const [path, ...others] = paths;
  if (path === undefined) throw new Error("Which template or assembly? Give its path.");
  if (others.length > 0) throw new Error(`One template or assembly at a time; ${others.join(", ")} is one too many.`);
  return { path, parameters: Object.fromEntries(assignments.map(readAssignment)), json: values.json };
}

function readAssignment(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Error(`--parameters takes KEY=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}
