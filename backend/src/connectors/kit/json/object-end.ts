const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How each byte outside of strings changes the depth. The quote is marked too, so that one lookup finds all relevant bytes. */
const depthChange = new Int8Array(256);
for (const open of '{[') depthChange[open.charCodeAt(0)] = 1;
for (const close of '}]') depthChange[close.charCodeAt(0)] = -1;
depthChange[QUOTE] = 2;

/** Finds the end of a JSON object that arrives in parts. No byte is read twice. */
export class ObjectEnd {
  private scanned = 0;
  private depth = 1;
  private isInString = false;
  private isEscaped = false;

  /** `opened`: opening braces of the object before the first byte to read. */
  start(opened: number): void {
    this.scanned = opened;
    this.depth = 1;
    this.isInString = false;
    this.isEscaped = false;
  }

  /**
   * The position after the object that begins at `from`, or -1 if it is incomplete. `from` may change between calls if the bytes
   * move.
   */
  find(bytes: Buffer, from: number, to: number): number {
    let { depth, isInString } = this;
    let position = from + this.scanned;
    if (this.isEscaped && position < to) {
      position++;
      this.isEscaped = false;
    }
    while (position < to && depth > 0) {
      if (isInString) {
        while (position < to && bytes[position] !== QUOTE && bytes[position] !== BACKSLASH) position++;
        if (position >= to) break;
        if (bytes[position] === QUOTE) isInString = false;
        else if (position + 1 < to) position++;
        else this.isEscaped = true;
      } else {
        while (position < to && depthChange[bytes[position] as number] === 0) position++;
        if (position >= to) break;
        if (bytes[position] === QUOTE) isInString = true;
        else depth += depthChange[bytes[position] as number] as number;
      }
      position++;
    }
    this.depth = depth;
    this.isInString = isInString;
    this.scanned = position - from;
    return depth === 0 ? position : -1;
  }
}
