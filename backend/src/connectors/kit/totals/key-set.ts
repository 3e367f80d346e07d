import { randomInt } from 'node:crypto';

const FIRST_SLOTS = 1 << 12;

/**
 * A set of seen keys, stored as 64-bit hashes: 16 bytes per key, while a set of texts takes 100. Among a million keys, a hash
 * collision occurs in one of forty million slices. The seed is random, so that a retry does not repeat the collision.
 */
export class KeySet {
  private readonly seed = randomInt(2 ** 32);
  private slots = new Int32Array(FIRST_SLOTS * 2);
  private mask = FIRST_SLOTS - 1;
  private count = 0;
  private low = 0;
  private high = 0;

  /** Starts a new key. */
  start(): void {
    this.low = this.seed | 0;
    this.high = ~this.seed;
  }

  /** Adds a part of the key. The end of each part is hashed too. */
  mix(bytes: Buffer, from: number, to: number): void {
    let { low, high } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      low = Math.imul(low ^ byte, 0x9e3779b1);
      high = Math.imul(high ^ byte, 0x85ebca6b) ^ (low >>> 15);
    }
    this.low = Math.imul(low ^ (low >>> 16), 0x7feb352d);
    this.high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  }

  /** Adds the current key. Returns false if it is already in the set. */
  add(): boolean {
    if (!this.insert(this.low ^ (this.low >>> 15), this.high ^ (this.high >>> 16) || 1)) return false;
    this.count++;
    if (this.count * 2 > this.mask) this.grow();
    return true;
  }

  /** An empty slot has a high half of 0, so no stored hash has 0 there. */
  private insert(low: number, high: number): boolean {
    const { slots, mask } = this;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot * 2 + 1];
      if (found === 0) {
        slots[slot * 2] = low;
        slots[slot * 2 + 1] = high;
        return true;
      }
      if (found === high && slots[slot * 2] === low) return false;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2);
    this.mask = this.mask * 2 + 1;
    for (let at = 0; at < old.length; at += 2) {
      const high = old[at + 1] as number;
      if (high !== 0) this.insert(old[at] as number, high);
    }
  }
}
