// npm run deploy -- TEMPLATE_OR_ASSEMBLY [--parameters KEY=VALUE …] [--json]
import { deployCommand } from "./deploy-command.js";

process.exitCode = await deployCommand(process.argv.slice(2), { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) });
