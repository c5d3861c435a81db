// Installs the dependencies from the lock file when they are missing or stale. Uses Node's own modules only: nothing else may be there yet.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = [20, 12];

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  fail(`Node ${OLDEST_NODE.join(".")} or later is needed; this is ${process.versions.node}.`);
}
const stale = staleReason();
if (stale !== undefined) install(stale);

/** Why `npm ci` is needed, or `undefined` when what is installed is what the lock file says. */
function staleReason() {
  const installed = readLock("node_modules/.package-lock.json"); // npm's own record of what it installed
  if (installed === undefined) return "nothing is installed yet";
  const wanted = readLock("package-lock.json");
  if (wanted === undefined) fail("package-lock.json is missing.");
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes("node_modules/") || entry.optional) continue; // a workspace's own folder, or a package of another platform
    if (entry.link ? path in installed || !existsSync(join(root, entry.resolved)) : installed[path]?.integrity === entry.integrity) continue;
    return `${path.replace(/^.*node_modules\//, "")} is not as the lock file says`;
  }
  return undefined;
}

/** The packages of a lock file by path, or `undefined` when there is no such file. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function install(reason) {
  console.log(`Installing the dependencies with npm ci (${reason}) …`);
  // npm is a script on Windows, which needs a shell to be found.
  const { status, error, stdout, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (status !== 0) fail(`npm ci failed: ${error?.message ?? ""}\n${stdout ?? ""}${stderr ?? ""}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
