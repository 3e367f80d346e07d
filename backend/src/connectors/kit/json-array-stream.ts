import { CorruptAnswer } from './errors.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** What a byte outside of strings does to the depth; the quote is marked too, so that one look-up finds all that matter. */
const depthChange = new Int8Array(256);
depthChange[OPEN_BRACE] = depthChange[OPEN_BRACKET] = 1;
depthChange[CLOSE_BRACE] = depthChange[CLOSE_BRACKET] = -1;
depthChange[QUOTE] = 2;

/**
 * Yields the text of each object of a streamed top-level JSON array as soon as its last byte is there, holding one object
 * in memory. A plain object instead of the array is yielded as the only element: providers answer errors in both shapes.
 * Works on bytes: a multi-byte character cut by a network packet is whole again before it is decoded.
 */
export async function* splitJsonArray(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const splitter = new ElementSplitter();
  for await (const bytes of body) yield* splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  splitter.end();
}

class ElementSplitter {
  private parts: Buffer[] = [];
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private state: 'before' | 'array' | 'object' | 'done' = 'before';

  *push(bytes: Buffer): Generator<string> {
    let position = 0;
    while (position < bytes.length) {
      if (this.depth === 0) {
        position = this.readBetween(bytes, position);
        continue;
      }
      const end = this.findEnd(bytes, position);
      this.parts.push(bytes.subarray(position, end));
      position = end;
      if (this.depth === 0) yield this.takeElement();
    }
  }

  end(): void {
    if (this.state !== 'done') throw corrupt('ended before it was complete');
  }

  /** Outside an element: whitespace, commas and the brackets of the array. Returns where to read on. */
  private readBetween(bytes: Buffer, position: number): number {
    const byte = bytes[position];
    if (byte === OPEN_BRACE && this.state !== 'done') {
      if (this.state === 'before') this.state = 'object';
      return this.startElement(position);
    }
    if (byte === OPEN_BRACKET && this.state === 'before') this.state = 'array';
    else if (byte === CLOSE_BRACKET && this.state === 'array') this.state = 'done';
    else if (!isSeparator(byte, this.state)) throw corrupt('is not a JSON list of objects');
    return position + 1;
  }

  private startElement(position: number): number {
    this.parts = [];
    this.depth = 1;
    this.parts.push(Buffer.of(OPEN_BRACE));
    return position + 1;
  }

  /** Hot: every byte of an answer passes here, most of them in one of the two short loops. */
  private findEnd(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let { depth, isInString } = this;
    let position = from;
    if (this.isEscaped) position++;
    this.isEscaped = false;
    while (position < length && depth > 0) {
      if (isInString) {
        while (position < length && bytes[position] !== QUOTE && bytes[position] !== BACKSLASH) position++;
        if (position >= length) break;
        if (bytes[position] === QUOTE) isInString = false;
        else if (position + 1 < length) position++;
        else this.isEscaped = true;
      } else {
        while (position < length && depthChange[bytes[position] ?? 0] === 0) position++;
        if (position >= length) break;
        if (bytes[position] === QUOTE) isInString = true;
        else depth += depthChange[bytes[position] ?? 0] ?? 0;
      }
      position++;
    }
    this.depth = depth;
    this.isInString = isInString;
    return position;
  }

  private takeElement(): string {
    if (this.state === 'object') this.state = 'done';
    const text = Buffer.concat(this.parts).toString('utf8');
    this.parts = [];
    return text;
  }
}

function isSeparator(byte: number | undefined, state: string): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || (byte === 0x2c && state === 'array');
}

function corrupt(what: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'http.incomplete_json',
    message: `The answer of the provider ${what}. Nothing of it was loaded.`,
    action: 'Wait for the next try; it starts by itself',
  });
}
