// Keeps the README's account of the demo true: node scripts/readme-output.mjs <file with the demo's output> [--write]
//
// Compares it with the README's block ```text demo, durations and generated names apart; --write puts it there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

const BLOCK = /^```text demo\n([\s\S]*?)^```$/m;

const [outputPath, mode] = process.argv.slice(2);
if (outputPath === undefined) {
  console.error("Usage: node scripts/readme-output.mjs <file with the demo's output> [--write]");
  process.exit(2);
}

const readmePath = join(root, "README.md");
const readme = readFileSync(readmePath, "utf8");
// npm's own lines, which name the script, are no output of it.
const output = `${readFileSync(outputPath, "utf8").replace(/^> .*\n/gm, "").trim()}\n`;

if (mode === "--write") {
  writeFileSync(readmePath, readme.replace(BLOCK, () => `\`\`\`text demo\n${output}\`\`\``));
} else if (lasting(BLOCK.exec(readme)?.[1] ?? "") !== lasting(output)) {
  console.error("The README's account of the demo is not what the demo prints. To mend it: npm run demo > FILE && node scripts/readme-output.mjs FILE --write");
  process.exit(1);
}

function lasting(text) {
  return text.replace(/ *\d+(\.\d+)? (ms|s)\b/g, " … $2").replace(/-[A-Za-z0-9]{12}\b/g, "-…");
}
