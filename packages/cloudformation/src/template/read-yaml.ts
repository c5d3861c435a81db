import { loadPeer } from "@sandstack/core";
import type { Node, Pair, Scalar } from "yaml";
import { templateError, templateFormatError } from "../errors.js";

type Yaml = typeof import("yaml");

/** Short tags whose long form is not `Fn::` and the tag. */
const PLAIN_FUNCTIONS = ["Ref", "Condition"];
const SHORT_TAGS = new Set(
  "Ref Condition GetAtt Sub Join Select Split If And Or Not Equals FindInMap ImportValue Base64 Cidr GetAZs Transform Length ToJsonString Contains EachMemberEquals EachMemberIn RefAll ValueOf ValueOfAll".split(" "),
);

/**
 * Reads YAML as CloudFormation does: short forms become long ones; `true`, `false` and JSON's numbers are what they say, and every
 * other plain scalar (`2012-10-17`, `on`, `0777`, an account id with a leading zero) is text.
 *
 * @throws ValidationError with line and column for what is not YAML, and for aliases, which CloudFormation refuses
 */
export function readYaml(text: string): unknown {
  // Loaded on first need: most templates of tests are JSON, and importing the package stays cheap.
  const yaml = loadPeer<Yaml>("yaml", "to read a YAML template");
  const document = yaml.parseDocument(text, { schema: "failsafe", uniqueKeys: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) throw notWellFormed(error.linePos?.[0]);
  if (document.contents === null) throw templateFormatError("unsupported structure.");
  return new YamlReader(yaml, text).read(document.contents as Node); // what parseDocument gives, the null taken off above
}

function notWellFormed(place: { line: number; col: number } | undefined): Error {
  return templateFormatError(place === undefined ? "YAML not well-formed." : `YAML not well-formed. (line ${place.line}, column ${place.col})`);
}

class YamlReader {
  readonly #yaml: Yaml;
  readonly #text: string;

  constructor(yaml: Yaml, text: string) {
    this.#yaml = yaml;
    this.#text = text;
  }

  read(node: Node | null): unknown {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (node === null) return null;
    if (isAlias(node)) throw templateError("YAML aliases are not allowed in CloudFormation templates");
    const tag = this.#functionOf(node);
    if (isScalar(node)) return tag === undefined ? readScalar(node) : callOf(tag, typeof node.value === "string" ? node.value : "");
    if (isSeq<Node>(node)) return callOf(tag, node.items.map((item) => this.read(item)));
    if (isMap<Node, Node>(node)) return callOf(tag, Object.fromEntries(node.items.map((pair) => this.#readPair(pair))));
    throw this.#refused(node);
  }

  #readPair({ key, value }: Pair<Node, Node>): [string, unknown] {
    if (!this.#yaml.isScalar(key)) throw this.#refused(key);
    return [String(key.value), this.read(value)];
  }

  /** The function that a node's short tag means. */
  #functionOf(node: Node): string | undefined {
    const { tag } = node;
    if (tag === undefined || !tag.startsWith("!")) return undefined;
    const name = tag.slice(1);
    if (!SHORT_TAGS.has(name)) throw this.#refused(node);
    return name;
  }

  #refused(node: Node): Error {
    const before = this.#text.slice(0, node.range?.[0] ?? 0).split("\n");
    return notWellFormed({ line: before.length, col: (before.at(-1)?.length ?? 0) + 1 });
  }
}

function callOf(tag: string | undefined, argument: unknown): unknown {
  if (tag === undefined) return argument;
  if (tag === "GetAtt" && typeof argument === "string") {
    const dot = argument.indexOf(".");
    return { "Fn::GetAtt": dot < 0 ? [argument] : [argument.slice(0, dot), argument.slice(dot + 1)] };
  }
  return { [PLAIN_FUNCTIONS.includes(tag) ? tag : `Fn::${tag}`]: argument };
}

function readScalar(scalar: Scalar): unknown {
  const text = typeof scalar.value === "string" ? scalar.value : "";
  if (scalar.type !== "PLAIN" || scalar.tag === "tag:yaml.org,2002:str") return text;
  if (text === "" || text === "~" || /^null$/i.test(text)) return null;
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  // A number that its text does not survive (1.10, 1e3, twenty digits) is kept as the text: where a number is wanted it is made one later.
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}
