import { parseArn } from "@sandstack/core";
import { AWS_ACTIONS } from "../data/aws-actions.js";

/** How many letters a misspelt action may be off. */
const MAX_LETTERS_OFF = 3;

interface ServiceActions {
  readonly names: readonly string[];
  readonly lowerCaseNames: ReadonlySet<string>;
}

// By service prefix; filled on need.
const known = new Map<string, ServiceActions>();

/** The actions that AWS has under a service's prefix; `undefined` for services whose actions are not known here. */
function actionsOf(prefix: string): ServiceActions | undefined {
  let actions = known.get(prefix);
  if (actions !== undefined || !Object.hasOwn(AWS_ACTIONS, prefix)) return actions;
  const names = AWS_ACTIONS[prefix]?.split(" ") ?? [];
  known.set(prefix, (actions = { names, lowerCaseNames: new Set(names.map((name) => name.toLowerCase())) }));
  return actions;
}

/**
 * What is wrong with the name of an action, as a sentence; `undefined` for one that AWS has or may have.
 *
 * @param resource the ARN that is asked about, which tells the service of an action that names none
 */
export function actionFault(action: string, resource: string): string | undefined {
  if (/[*?]/.test(action)) return `${action} is a pattern; a question is about one action, such as sqs:SendMessage.`;
  if (!action.includes(":")) return `${action} has no service before it, as actions have: ${meantBy(action, resource) ?? "sqs:SendMessage"}.`;
  if (!isUnknown(action)) return undefined;
  const meant = meantBy(action, resource);
  return `AWS has no action ${action}${meant === undefined ? "" : `; ${meant} may be meant`}.`;
}

/** Whether a policy's text, which is no action that AWS has, may mean the given action on the resource. */
export function isMisspelt(text: string, action: string, resource: string): boolean {
  if (/[*?]/.test(text) || (text.includes(":") && !isUnknown(text))) return false;
  return meantBy(text, resource)?.toLowerCase() === action.toLowerCase();
}

/** True where the service's actions are known and this is none of them. */
function isUnknown(action: string): boolean {
  const [prefix = "", name = ""] = action.toLowerCase().split(":", 2);
  return actionsOf(prefix)?.lowerCaseNames.has(name) === false;
}

/** The action of AWS's that a text comes nearest to, of the service it names or else the resource's. */
function meantBy(text: string, resource: string): string | undefined {
  const [prefix, name] = text.includes(":") ? text.toLowerCase().split(":", 2) : [parseArn(resource)?.service, text.toLowerCase()];
  if (prefix === undefined || name === undefined) return undefined;
  let nearest: string | undefined;
  let nearestOff = Math.min(MAX_LETTERS_OFF, Math.floor(name.length / 2)) + 1;
  for (const candidate of actionsOf(prefix)?.names ?? []) {
    const lettersOff = lettersBetween(name, candidate.toLowerCase());
    if (lettersOff >= nearestOff) continue;
    nearest = `${prefix}:${candidate}`;
    nearestOff = lettersOff;
  }
  return nearest;
}

/** How many letters must be put in, taken out or changed to make one text of the other (Levenshtein's distance). */
function lettersBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
