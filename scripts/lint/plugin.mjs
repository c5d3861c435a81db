// The lint rules of this repository: the world is sealed from the host, and the workspaces know each other in one direction.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { HOST, KNOWS, LOADS_PEERS, SHELL, TYPES_FOR_SERVICES } from "./world-rules.mjs";

export default {
  meta: { name: "sandstack" },
  rules: {
    "sealed-world": { create: sealedWorld },
    "dependency-direction": { create: dependencyDirection },
    "reasoned-assertion": { create: reasonedAssertion },
  },
};

/** No host time, timers, chance, console, environment, files, network or processes below the shell. */
function sealedWorld(context) {
  const path = pathOf(context);
  if (!/^packages\/[^/]+\/src\//.test(path)) return {};
  const allowed = SHELL.filter((entry) => (entry.path.endsWith("/") ? path.startsWith(entry.path) : path === entry.path)).flatMap(({ may }) => may);
  const refused = Object.entries(HOST).filter(([kind]) => !allowed.includes(kind));
  const report = (node, what, { instead }) => context.report({ node, message: `${what} is the host's; ${instead}. (Who may: SHELL in scripts/lint/world-rules.mjs)` });

  const readsHostTime = ({ callee }) => !allowed.includes("time") && isGlobal(context, callee);
  const find = (list, name) => refused.find(([, host]) => host[list].includes(name))?.[1];
  const checkModule = (node, specifier, names) => {
    const module = specifier.replace(/^node:/, "");
    const host = find("modules", module);
    if (host !== undefined) return report(node, specifier, host);
    for (const [, refusedHost] of refused) {
      for (const name of names) if (refusedHost.imports?.[module]?.includes(name)) report(node, `${name} of ${specifier}`, refusedHost);
    }
  };

  return {
    ImportDeclaration(node) {
      if (node.importKind !== "type") checkModule(node, node.source.value, node.specifiers.map(({ imported }) => imported?.name));
    },
    ImportExpression(node) {
      if (node.source.type === "Literal") checkModule(node, String(node.source.value), []);
    },
    CallExpression(node) {
      if (node.callee.name === "Date" && readsHostTime(node)) report(node, "Date()", HOST.time);
      const [argument] = node.arguments;
      if (node.callee.name === "require" && argument?.type === "Literal") checkModule(node, String(argument.value), []);
    },
    NewExpression(node) {
      if (node.callee.name === "Date" && node.arguments.length === 0 && readsHostTime(node)) report(node, "new Date()", HOST.time);
    },
    MemberExpression(node) {
      const { object, property } = node;
      const name = node.computed ? property.value : property.name;
      if (object.type !== "Identifier" || name === undefined) return;
      const host = object.name === "globalThis" ? find("globals", name) : find("members", `${object.name}.${name}`);
      // `crypto` may be an import of node:crypto: the same functions.
      if (host !== undefined && (object.name === "crypto" || isGlobal(context, object))) report(node, `${object.name}.${name}`, host);
    },
    Identifier(node) {
      const host = find("globals", node.name);
      if (host !== undefined && isReference(node) && isGlobal(context, node)) report(node, node.name, host);
    },
  };
}

/** The sources of a workspace import only what the architecture lets them know, declared in package.json, through its front door; optional peers as types only. */
function dependencyDirection(context) {
  const path = pathOf(context);
  const workspace = /^(packages\/[^/]+|examples\/[^/]+|bench)\//.exec(path)?.[1];
  if (workspace === undefined) return {};
  const rule = workspace.startsWith("examples/") ? "examples" : workspace;
  const isSource = !path.startsWith(`${workspace}/test/`);
  const known = KNOWS[rule];
  const manifest = readManifest(context, workspace);

  const check = (node, specifier, isType) => {
    const report = (message) => context.report({ node, message });
    if (specifier.startsWith(".")) {
      const target = relative(rootOf(context), resolve(dirname(context.filename), specifier)).split(sep).join("/");
      if (!target.startsWith(`${workspace}/`)) report(`${specifier} reaches into another workspace: import its package.`);
      return;
    }
    if (!isSource) return;
    const imported = /^@sandstack\/([^/]+)|^(sandstack)(?:\/|$)/.exec(specifier);
    if (imported === null) {
      if (!isType && !LOADS_PEERS.includes(rule) && isOptionalPeer(context, specifier)) report(`${specifier} is an optional peer: \`import type\`, and \`loadPeer\` where it is needed.`);
      return;
    }
    const name = imported[1] ?? imported[2];
    if (known === undefined) return report(`${workspace} has no line in KNOWS of scripts/lint/world-rules.mjs.`);
    const areTypesForAll = isType && TYPES_FOR_SERVICES.includes(name) && TYPES_FOR_SERVICES.includes(rule.replace("packages/", ""));
    if (!known.includes(name) && !areTypesForAll) return report(`${workspace} may not know ${imported[0]}: the dependency direction is KNOWS in scripts/lint/world-rules.mjs.`);
    const packageName = imported[1] === undefined ? "sandstack" : imported[0];
    const declared = { ...manifest.dependencies, ...(isType || rule === "examples" ? manifest.devDependencies : {}) };
    if (!(packageName in declared)) report(`${packageName} is not declared in ${workspace}/package.json.`);
  };

  return {
    ImportDeclaration: (node) => check(node, node.source.value, node.importKind === "type" || (node.specifiers.length > 0 && node.specifiers.every(({ importKind }) => importKind === "type"))),
    ExportNamedDeclaration: (node) => node.source && check(node, node.source.value, node.exportKind === "type"),
    ExportAllDeclaration: (node) => check(node, node.source.value, node.exportKind === "type"),
    ImportExpression: (node) => node.source.type === "Literal" && check(node, String(node.source.value), false),
    TSImportType: (node) => check(node, String((node.source ?? node.argument.literal).value), true),
    TSModuleDeclaration: (node) => node.id.type === "Literal" && check(node, node.id.value, true),
    CallExpression(node) {
      const [argument] = node.arguments;
      if (node.callee.name === "require" && argument?.type === "Literal") check(node, String(argument.value), false);
    },
  };
}

/** Types that say nothing of what is inside. */
const ASSERTS_NOTHING = /^(readonly )?unknown(\[\])?$|^Record<(string|symbol), unknown>$|^Readonly<Record<(string|symbol), unknown>>$/;

/** In sources, whatever overrules the compiler (`as`, `any`, `!`) has its reason in a comment: in its statement, or on the line above. `(error as Error)` speaks for itself. */
function reasonedAssertion(context) {
  if (!/^packages\/[^/]+\/src\//.test(pathOf(context))) return {};
  const commentedLines = new Set(context.sourceCode.getAllComments().flatMap(({ loc }) => range(loc.start.line, loc.end.line)));
  const check = (node, what) => {
    const { loc } = statementOf(node);
    if (!range(loc.start.line - 1, loc.end.line).some((line) => commentedLines.has(line))) context.report({ node, message: `${what} needs its reason in a comment.` });
  };
  return {
    TSAsExpression(node) {
      const type = context.sourceCode.getText(node.typeAnnotation);
      const isCaughtError = type === "Error" && node.expression.type === "Identifier" && node.expression.name === "error";
      if (type !== "const" && !ASSERTS_NOTHING.test(type) && !isCaughtError) check(node, "`as`");
    },
    TSNonNullExpression: (node) => check(node, "`!`"),
    TSAnyKeyword: (node) => check(node, "`any`"),
  };
}

function statementOf(node) {
  return /Statement$|Declaration$|Definition$|Signature$/.test(node.type) && !node.type.startsWith("TSTypeParameter") ? node : statementOf(node.parent);
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function isOptionalPeer(context, specifier) {
  return Object.keys(readManifest(context, "packages/sandstack").peerDependencies ?? {}).some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** True where the identifier is read, not where it names a member, a key or a declaration. */
function isReference(node) {
  const { parent } = node;
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed;
  if (parent.type === "Property") return parent.value === node;
  return !/^(MethodDefinition|PropertyDefinition|ImportSpecifier|ExportSpecifier|TS\w+|LabeledStatement)$/.test(parent.type) || /^TS(As|Satisfies|NonNull)Expression$/.test(parent.type);
}

/** True when no declaration in the file hides the global of that name. */
function isGlobal(context, identifier) {
  for (let scope = context.sourceCode.getScope(identifier); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (variable !== undefined && variable.defs.length > 0) return false;
  }
  return true;
}

function rootOf(context) {
  return context.cwd ?? process.cwd();
}

function pathOf(context) {
  return relative(rootOf(context), context.filename).split(sep).join("/");
}

const manifests = new Map();

function readManifest(context, workspace) {
  const path = join(rootOf(context), workspace, "package.json");
  let manifest = manifests.get(path);
  if (manifest === undefined) manifests.set(path, (manifest = JSON.parse(readFileSync(path, "utf8"))));
  return manifest;
}
