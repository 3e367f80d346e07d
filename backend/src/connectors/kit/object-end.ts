const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte outside of strings does to the depth; the quote is marked too, so that one look-up finds all that matter. */
const depthChange = new Int8Array(256);
for (const open of '{[') depthChange[open.charCodeAt(0)] = 1;
for (const close of '}]') depthChange[close.charCodeAt(0)] = -1;
depthChange[QUOTE] = 2;

/** Finds where a JSON object ends whose bytes arrive in parts; what was looked at is not looked at again. */
export class ObjectEnd {
  private scanned = 0;
  private depth = 1;
  private isInString = false;
  private isEscaped = false;

  /** `opened`: bytes of the object that need no look, its opening brace among them. */
  start(opened: number): void {
    this.scanned = opened;
    this.depth = 1;
    this.isInString = false;
    this.isEscaped = false;
  }

  /** The place behind the object that begins at `from`, or -1 when it is not whole. `from` may move between calls, with its bytes. */
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
