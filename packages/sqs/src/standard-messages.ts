import { heapMoved, heapPush, heapRemove } from "@sandstack/core";
import { NOISY_IN_FLIGHT_MIN, NOISY_IN_FLIGHT_SHARE } from "./limits.js";
import { addToLine, allInLine, emptyMessageLine, isOlder, messageCount, oldestInLine, removeFromLine, takeOldestInLine } from "./message-line.js";
import type { Message, StandardMessages, Tenant } from "./state.js";

/*
 * The order of standard queues: the oldest message first, except that quiet tenants (messages with one MessageGroupId) go
 * before noisy ones. Which tenant is noisy changes with every receive and delete; it is looked at only where a message is taken.
 */

export function noStandardMessages(): StandardMessages {
  return { kind: "standard", single: emptyMessageLine(), tenants: new Map(), quiet: [], noisy: [], tenantMessageCount: 0 };
}

export function standardCount(visible: StandardMessages): number {
  return messageCount(visible.single) + visible.tenantMessageCount;
}

export function addStandard(visible: StandardMessages, message: Message): void {
  if (message.groupId === undefined) {
    addToLine(visible.single, message);
    return;
  }
  const tenant = tenantOf(visible, message.groupId);
  addToLine(tenant.line, message);
  visible.tenantMessageCount += 1;
  tenantChanged(visible, tenant);
}

/** Takes the next message to be received. @param inFlightCount of the whole queue */
export function takeNextStandard(visible: StandardMessages, inFlightCount: number): Message | undefined {
  if (visible.tenantMessageCount === 0) return takeOldestInLine(visible.single);
  const tenant = nextTenant(visible, inFlightCount);
  return tenant === undefined ? takeOldestInLine(visible.single) : takeFrom(visible, tenant);
}

/** Takes out a message that was received before. */
export function removeStandard(visible: StandardMessages, message: Message): void {
  if (message.groupId === undefined) {
    removeFromLine(visible.single, message);
    return;
  }
  const tenant = tenantOf(visible, message.groupId);
  removeFromLine(tenant.line, message);
  visible.tenantMessageCount -= 1;
  tenantChanged(visible, tenant);
}

export function standardEntersFlight(visible: StandardMessages, { groupId }: Message): void {
  if (groupId !== undefined) tenantOf(visible, groupId).inFlightCount += 1;
}

export function standardLeavesFlight(visible: StandardMessages, { groupId }: Message): void {
  if (groupId === undefined) return;
  const tenant = tenantOf(visible, groupId);
  tenant.inFlightCount -= 1;
  tenantChanged(visible, tenant);
}

/** When the oldest message was sent, in epoch milliseconds; infinity when there is none. */
export function oldestStandardSentAtMs(visible: StandardMessages): number {
  return oldestStandard(visible)?.sentAtMs ?? Number.POSITIVE_INFINITY;
}

/** Takes out the messages that were sent until an instant, the oldest first. */
export function takeStandardSentUntil(visible: StandardMessages, untilMs: number): Message[] {
  const taken: Message[] = [];
  for (let oldest = oldestStandard(visible); oldest !== undefined && oldest.sentAtMs <= untilMs; oldest = oldestStandard(visible)) {
    if (oldest.groupId === undefined) takeOldestInLine(visible.single);
    else takeFrom(visible, tenantOf(visible, oldest.groupId));
    taken.push(oldest);
  }
  return taken;
}

export function allStandard({ single, tenants }: StandardMessages): Message[] {
  return [single, ...[...tenants.values()].map(({ line }) => line)].flatMap(allInLine);
}

/** The oldest message of all, those of noisy tenants included. */
function oldestStandard({ single, quiet, noisy }: StandardMessages): Message | undefined {
  let oldest = oldestInLine(single);
  for (const tenant of quiet.length === 0 ? noisy : [quiet[0]!, ...noisy]) { // it is not empty
    const message = oldestInLine(tenant.line)!; // tenants that are waiting have messages
    if (oldest === undefined || isOlder(message, oldest)) oldest = message;
  }
  return oldest;
}

function takeFrom(visible: StandardMessages, tenant: Tenant): Message | undefined {
  const message = takeOldestInLine(tenant.line);
  visible.tenantMessageCount -= 1;
  tenantChanged(visible, tenant);
  return message;
}

/** The tenant that is served next, or `undefined` when it is the turn of the messages without one. */
function nextTenant(visible: StandardMessages, inFlightCount: number): Tenant | undefined {
  const { single, quiet, noisy } = visible;
  for (const tenant of noisy.filter((each) => !isNoisy(each, inFlightCount))) {
    noisy.splice(noisy.indexOf(tenant), 1);
    heapPush(quiet, tenant, isFirst);
  }
  for (let first = quiet[0]; first !== undefined && isNoisy(first, inFlightCount); first = quiet[0]) {
    heapRemove(quiet, first, isFirst);
    noisy.push(first);
  }
  const first = quiet[0];
  const oldestSingle = oldestInLine(single);
  if (first !== undefined) return oldestSingle === undefined || isOlder(oldestInLine(first.line)!, oldestSingle) ? first : undefined; // quiet tenants have messages
  return oldestSingle !== undefined ? undefined : noisy.reduce((before, each) => (isFirst(each, before) ? each : before));
}

function isNoisy({ inFlightCount }: Tenant, inFlightOfAll: number): boolean {
  return inFlightCount >= NOISY_IN_FLIGHT_MIN && inFlightCount > inFlightOfAll * NOISY_IN_FLIGHT_SHARE;
}

function isFirst(a: Tenant, b: Tenant): boolean {
  return isOlder(oldestInLine(a.line)!, oldestInLine(b.line)!); // tenants that are waiting have messages
}

function tenantOf(visible: StandardMessages, groupId: string): Tenant {
  let tenant = visible.tenants.get(groupId);
  if (tenant === undefined) visible.tenants.set(groupId, (tenant = { groupId, line: emptyMessageLine(), inFlightCount: 0, heapIndex: -1 }));
  return tenant;
}

/** Puts a tenant in its place among those that wait, or takes it away from there; one that has nothing left is forgotten. */
function tenantChanged({ tenants, quiet, noisy }: StandardMessages, tenant: Tenant): void {
  const noisyIndex = noisy.indexOf(tenant);
  if (messageCount(tenant.line) > 0) {
    if (noisyIndex !== -1) return;
    if (tenant.heapIndex === -1) heapPush(quiet, tenant, isFirst);
    else heapMoved(quiet, tenant, isFirst);
    return;
  }
  if (noisyIndex !== -1) noisy.splice(noisyIndex, 1);
  else if (tenant.heapIndex !== -1) heapRemove(quiet, tenant, isFirst);
  if (tenant.inFlightCount === 0) tenants.delete(tenant.groupId);
}
