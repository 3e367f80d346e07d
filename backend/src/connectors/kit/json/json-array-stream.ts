import { CorruptAnswer } from '../errors.js';
import { ObjectEnd } from './object-end.js';

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const NOT_YET = -1;

/** Receives the objects of a list inside each element as they arrive, so that the whole list is never in memory. */
export interface ItemSink {
  /** Name of the list's field. If an element does not begin with it, the list remains part of the element. */
  field: string;
  startList(): void;
  /**
   * Reads the object at `from` and returns where it ends. Returns -1 for an unknown or incomplete object. A 0 byte follows the
   * last byte.
   */
  scan(bytes: Buffer, from: number): number;
  /** Called with an object for which `scan` returned -1. */
  parse(text: string): void;
}

/**
 * Yields the text of each object of a streamed top-level JSON array as soon as its last byte arrives, with one object in memory.
 * A plain object instead of the array is yielded as the only element, because providers return errors in both shapes. Works on
 * bytes, so multi-byte characters split between network packets are decoded correctly.
 */
export async function* splitJsonArray(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = new JsonArrayReader();
  for await (const bytes of body) yield* reader.push(bytes);
  reader.end();
}

export class JsonArrayReader {
  private readonly sink: ItemSink | null;
  /** Unprocessed bytes, followed by a 0. */
  private bytes = Buffer.alloc(1);
  private length = 0;
  private state: 'before' | 'between' | 'element' | 'list' | 'done' = 'before';
  private isArray = false;
  /** Next expected token in a list, besides its end: an object after a comma, a comma after an object, an object at the start. */
  private awaited: 'first' | 'comma' | 'item' = 'first';
  private isInItem = false;
  private readonly objectEnd = new ObjectEnd();
  /** The already processed part of the element: its list, emptied. */
  private elementHead = '';

  constructor(sink: ItemSink | null = null) {
    this.sink = sink;
  }

  /** Returns the elements that end in these bytes. */
  push(part: Uint8Array): string[] {
    this.append(part);
    const elements: string[] = [];
    let position = 0;
    while (position < this.length) {
      const next = this.read(position, elements);
      if (next === NOT_YET) break;
      position = next;
    }
    this.bytes.copyWithin(0, position, this.length);
    this.length -= position;
    return elements;
  }

  end(): void {
    if (this.state !== 'done') throw corrupt('is incomplete');
  }

  private append(part: Uint8Array): void {
    const length = this.length + part.length;
    if (length >= this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(length * 2 + 1);
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.bytes.set(part, this.length);
    this.bytes[length] = 0;
    this.length = length;
  }

  /** Returns the next position, or NOT_YET if more bytes are needed. */
  private read(position: number, elements: string[]): number {
    if (this.state === 'list') return this.readList(position);
    if (this.state === 'element') return this.readElement(position, elements);
    return this.readBetween(position);
  }

  /** Outside an element: whitespace, commas and the brackets of the array. */
  private readBetween(position: number): number {
    const byte = this.bytes[position];
    if (byte === OPEN_BRACE && this.state !== 'done') return this.startElement(position);
    if (byte === OPEN_BRACKET && this.state === 'before') {
      this.state = 'between';
      this.isArray = true;
    } else if (byte === CLOSE_BRACKET && this.state === 'between') this.state = 'done';
    else if (!isSpace(byte) && !(byte === COMMA && this.state === 'between')) throw corrupt('is not a JSON list of objects');
    return position + 1;
  }

  private startElement(position: number): number {
    const listStart = this.sink ? this.findList(position + 1, `"${this.sink.field}"`) : null;
    if (listStart === NOT_YET) return NOT_YET;
    this.state = listStart === null ? 'element' : 'list';
    this.elementHead = '';
    this.objectEnd.start(1);
    if (listStart === null) return position;
    this.sink?.startList();
    this.awaited = 'first';
    return listStart;
  }

  /** The position after the list's opening bracket, or null if the element begins with something else. */
  private findList(from: number, name: string): number | null {
    let position = this.skipSpace(from);
    for (let index = 0; index < name.length; index++, position++) {
      if (position >= this.length) return NOT_YET;
      if (this.bytes[position] !== name.charCodeAt(index)) return null;
    }
    for (const expected of [COLON, OPEN_BRACKET]) {
      position = this.skipSpace(position);
      if (position >= this.length) return NOT_YET;
      if (this.bytes[position++] !== expected) return null;
    }
    return position;
  }

  private readList(from: number): number {
    const position = this.skipSpace(from);
    if (position >= this.length) return NOT_YET;
    const byte = this.bytes[position];
    if (byte === OPEN_BRACE && this.awaited !== 'comma') return this.readItem(position);
    if (byte === CLOSE_BRACKET && this.awaited !== 'item') return this.endList(position + 1);
    if (byte !== COMMA || this.awaited !== 'comma') throw corrupt('contains a list of other values than objects');
    this.awaited = 'item';
    return position + 1;
  }

  private readItem(position: number): number {
    const { bytes, objectEnd } = this;
    const sink = this.sink as ItemSink;
    let end = this.isInItem ? -1 : sink.scan(bytes, position);
    if (end === -1) {
      if (!this.isInItem) objectEnd.start(1);
      end = objectEnd.find(bytes, position, this.length);
      this.isInItem = end === -1;
      if (this.isInItem) return NOT_YET;
      if (sink.scan(bytes, position) === -1) sink.parse(bytes.toString('utf8', position, end));
    }
    this.awaited = 'comma';
    return end;
  }

  private endList(position: number): number {
    this.elementHead = `{"${this.sink?.field}":[]`;
    this.objectEnd.start(0);
    this.state = 'element';
    return position;
  }

  private readElement(position: number, elements: string[]): number {
    const end = this.objectEnd.find(this.bytes, position, this.length);
    if (end === -1) return NOT_YET;
    elements.push(this.elementHead + this.bytes.toString('utf8', position, end));
    this.state = this.isArray ? 'between' : 'done';
    return end;
  }

  private skipSpace(from: number): number {
    let position = from;
    while (isSpace(this.bytes[position])) position++;
    return position;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function corrupt(what: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'http.incomplete_json',
    message: `The provider's answer ${what}. Nothing of it was loaded.`,
    action: 'No action needed: Tributary retries automatically',
  });
}
