/**
 * The 64-bit hash of PostgreSQL's `hashtextextended(text COLLATE "C", 0)`: Bob Jenkins' lookup3, which PostgreSQL keeps stable
 * because hash partitions depend on it (src/common/hashfn.c). The halves of the last hash are in `high` and `low`.
 */
export class TextHash {
  /** Signed. */
  high = 0;
  /** Unsigned. */
  low = 0;

  hash(bytes: Buffer, from: number, to: number): void {
    let a = (0x9e3779b9 + (to - from) + 3_923_095) | 0;
    let b = a;
    let c = a;
    let at = from;
    for (; to - at >= 12; at += 12) {
      a = (a + word(bytes, at)) | 0;
      b = (b + word(bytes, at + 4)) | 0;
      c = (c + word(bytes, at + 8)) | 0;
      a = (a - c) ^ ((c << 4) | (c >>> 28));
      c = (c + b) | 0;
      b = (b - a) ^ ((a << 6) | (a >>> 26));
      a = (a + c) | 0;
      c = (c - b) ^ ((b << 8) | (b >>> 24));
      b = (b + a) | 0;
      a = (a - c) ^ ((c << 16) | (c >>> 16));
      c = (c + b) | 0;
      b = (b - a) ^ ((a << 19) | (a >>> 13));
      a = (a + c) | 0;
      c = (c - b) ^ ((b << 4) | (b >>> 28));
      b = (b + a) | 0;
    }
    const rest = to - at;
    // The lowest byte of c contains the length.
    for (let index = rest - 1; index >= 8; index--) c = (c + ((bytes[at + index] as number) << ((index - 7) * 8))) | 0;
    for (let index = Math.min(rest, 8) - 1; index >= 4; index--)
      b = (b + ((bytes[at + index] as number) << ((index - 4) * 8))) | 0;
    for (let index = Math.min(rest, 4) - 1; index >= 0; index--) a = (a + ((bytes[at + index] as number) << (index * 8))) | 0;
    c = ((c ^ b) - ((b << 14) | (b >>> 18))) | 0;
    a = ((a ^ c) - ((c << 11) | (c >>> 21))) | 0;
    b = ((b ^ a) - ((a << 25) | (a >>> 7))) | 0;
    c = ((c ^ b) - ((b << 16) | (b >>> 16))) | 0;
    a = ((a ^ c) - ((c << 4) | (c >>> 28))) | 0;
    b = ((b ^ a) - ((a << 14) | (a >>> 18))) | 0;
    c = ((c ^ b) - ((b << 24) | (b >>> 8))) | 0;
    this.high = b;
    this.low = c >>> 0;
  }
}

function word(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
