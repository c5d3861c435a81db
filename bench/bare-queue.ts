import { hash } from "node:crypto";

interface BareMessage {
  readonly id: string;
  readonly body: string;
  readonly md5: string;
  visibleAt: number;
}

/** The least a queue can be: a Map, a heap by visibility, one MD5 for each send. It stands for the work that no queue avoids. */
export class BareQueue {
  readonly #messages = new Map<string, BareMessage>();
  readonly #heap: BareMessage[] = [];
  #nextId = 0;

  send(body: string): { id: string; md5: string } {
    const message = { id: String(this.#nextId++), body, md5: hash("md5", body), visibleAt: 0 };
    this.#messages.set(message.id, message);
    this.#push(message);
    return { id: message.id, md5: message.md5 };
  }

  receive(now: number): BareMessage | undefined {
    for (let head = this.#heap[0]; head !== undefined && head.visibleAt <= now; head = this.#heap[0]) {
      this.#popHead();
      if (!this.#messages.has(head.id)) continue;
      head.visibleAt = now + 30_000;
      this.#push(head);
      return { ...head };
    }
    return undefined;
  }

  delete(id: string): void {
    this.#messages.delete(id);
    // Deleted messages at the head go at once, as they would otherwise pile up.
    while (this.#heap[0] !== undefined && !this.#messages.has(this.#heap[0].id)) this.#popHead();
  }

  #push(message: BareMessage): void {
    const heap = this.#heap;
    let index = heap.push(message) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex]!; // a parent's place is inside
      if (parent.visibleAt <= message.visibleAt) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = message;
  }

  #popHead(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (let childIndex = 1; childIndex < heap.length; childIndex = 2 * index + 1) {
      const [left, right] = [heap[childIndex]!, heap[childIndex + 1]]; // the left one is inside
      const child = right !== undefined && right.visibleAt < left.visibleAt ? right : left;
      if (child.visibleAt >= last.visibleAt) break;
      heap[index] = child;
      index = child === left ? childIndex : childIndex + 1;
    }
    heap[index] = last;
  }
}
