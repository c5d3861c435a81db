/** The state of the world's seeded generator (sfc32): four unsigned 32-bit numbers, plain data. */
export type RandomState = [number, number, number, number];

/** Starts a generator from any text or number. The same seed gives the same sequence. */
export function seedRandom(seed: string | number): RandomState {
  // FNV-1a spreads the seed's characters over the state; the first draws mix it further.
  let hash = 0x811c9dc5;
  for (const character of String(seed)) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0; // codePointAt(0) of a non-empty character is defined
  }
  const state: RandomState = [hash, hash ^ 0x9e3779b9, Math.imul(hash, 0x85ebca6b) >>> 0, 1];
  for (let round = 0; round < 12; round++) nextUint32(state);
  return state;
}

/** The next 32 random bits; moves `state` on. */
export function nextUint32(state: RandomState): number {
  const sum = (state[0] + state[1] + state[3]) >>> 0;
  state[3] = (state[3] + 1) >>> 0;
  state[0] = (state[1] ^ (state[1] >>> 9)) >>> 0;
  state[1] = (state[2] + (state[2] << 3)) >>> 0;
  state[2] = (((state[2] << 21) | (state[2] >>> 11)) + sum) >>> 0;
  return sum;
}

/** A fraction from 0 (included) to 1 (excluded). */
export function nextFraction(state: RandomState): number {
  return nextUint32(state) / 0x1_0000_0000;
}

/** A whole number from 0 (included) to `below` (excluded). */
export function nextInteger(state: RandomState, below: number): number {
  return Math.floor(nextFraction(state) * below);
}
