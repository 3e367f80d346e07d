/** A pseudorandom 32-bit number from both parts: the same seed gives the same data everywhere. */
export function mix(first: number, second: number): number {
  let hash = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

/** A hash as a number from 0 to below 1. */
export function fraction(hash: number): number {
  return hash / 4_294_967_296;
}
