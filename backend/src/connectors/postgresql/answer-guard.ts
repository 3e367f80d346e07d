/**
 * What a destination may send in one answer, or in a whole check. The largest real one, the daily sums of a slice, has
 * less than 100 kB.
 */
export const ANSWER_LIMIT_BYTES = 1024 * 1024;

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const HEADER_BYTES = 5;
const LENGTH_BYTES = 4;
const AUTHENTICATION = { ok: 0, clearText: 3, md5: 5 };
/** A name of at least its end, then the fixed parts of a column. */
const COLUMN_BYTES = 19;

export type AnswerFault = 'ANSWER_TOO_LARGE' | 'MALFORMED_ANSWER' | 'CLEAR_TEXT_PASSWORD';

/** Its code leads to the words for the user, as those of PostgreSQL and of the network do. */
export class AnswerRefused extends Error {
  readonly code: AnswerFault;

  constructor(code: AnswerFault) {
    super(`the server's answer was refused: ${code}`);
    this.code = code;
  }
}

export interface GuardOptions {
  /** Passwords are answered with SCRAM alone where the connection is not encrypted. */
  isEncrypted: boolean;
  /** Whether each statement may use the whole limit; otherwise the connection as a whole. */
  isPerStatement: boolean;
}

/**
 * Validates what a server sends before pg reads it. pg trusts the counts and lengths within messages: false ones could fill the
 * memory with a few bytes, end the process, or make it loop for ever.
 */
export class AnswerGuard {
  private readonly options: GuardOptions;
  private readonly messages: Generator<number, never, Buffer>;
  private readonly held = Buffer.alloc(HEADER_BYTES + LENGTH_BYTES);
  private heldBytes = 0;
  /** Bytes to collect for the message reader next; negative: bytes to skip. */
  private wanted: number;
  private bytes = 0;

  constructor(options: GuardOptions) {
    this.options = options;
    this.messages = this.readMessages();
    this.wanted = this.messages.next().value;
  }

  /** Throws when pg must not see the part. */
  inspect(part: Buffer): void {
    this.bytes += part.length;
    for (let offset = 0; offset < part.length;) {
      if (this.wanted < 0) {
        const passed = Math.min(-this.wanted, part.length - offset);
        offset += passed;
        this.wanted += passed;
        if (this.wanted === 0) this.resume();
      } else {
        const taken = part.copy(this.held, this.heldBytes, offset, offset + this.wanted - this.heldBytes);
        offset += taken;
        this.heldBytes += taken;
        if (this.heldBytes === this.wanted) this.resume();
      }
    }
    if (this.bytes > ANSWER_LIMIT_BYTES) throw new AnswerRefused('ANSWER_TOO_LARGE');
  }

  private resume(): void {
    do {
      const seen = this.held.subarray(0, this.heldBytes);
      this.heldBytes = 0;
      this.wanted = this.messages.next(seen).value;
    } while (this.wanted === 0);
  }

  private *readMessages(): Generator<number, never, Buffer> {
    for (;;) {
      const header = yield HEADER_BYTES;
      const type = String.fromCharCode(header[0] ?? 0);
      const body = header.readUInt32BE(1) - LENGTH_BYTES;
      if (body < 0) throw new AnswerRefused('MALFORMED_ANSWER');
      if (body > ANSWER_LIMIT_BYTES) throw new AnswerRefused('ANSWER_TOO_LARGE');
      yield* this.readBody(type, body);
      if (type === 'Z' && this.options.isPerStatement) this.bytes = 0;
    }
  }

  private *readBody(type: string, body: number): Generator<number, void, Buffer> {
    if (type === 'D') return yield* readRow(body);
    if (type === 'E' || type === 'N') return yield* readFields(body);
    if (type === 'R') return yield* this.readAuthentication(body);
    const entryBytes = { T: COLUMN_BYTES, t: 4, G: 2, H: 2, W: 2 }[type];
    if (entryBytes === undefined) return void (yield -body);
    const formatBytes = type === 'T' || type === 't' ? 0 : 1;
    assert(body >= formatBytes + 2);
    yield -formatBytes;
    const count = (yield 2).readUInt16BE();
    assert(count * entryBytes <= body - formatBytes - 2);
    yield -(body - formatBytes - 2);
  }

  private *readAuthentication(body: number): Generator<number, void, Buffer> {
    assert(body >= 4);
    const kind = (yield 4).readUInt32BE();
    const isReadable = kind === AUTHENTICATION.clearText || kind === AUTHENTICATION.md5;
    if (isReadable && !this.options.isEncrypted) throw new AnswerRefused('CLEAR_TEXT_PASSWORD');
    yield -(body - 4);
  }
}

/** Each field lies within the row, after the one before. */
function* readRow(body: number): Generator<number, void, Buffer> {
  assert(body >= 2);
  const count = (yield 2).readUInt16BE();
  let rest = body - 2;
  for (let field = 0; field < count; field++) {
    assert(rest >= 4);
    const length = (yield 4).readInt32BE();
    rest -= 4;
    if (length === -1) continue;
    assert(length >= 0 && length <= rest);
    yield -length;
    rest -= length;
  }
  yield -rest;
}

/** Two zeros end them: that of the last text, and that of the list. pg looks for the second without end. */
function* readFields(body: number): Generator<number, void, Buffer> {
  assert(body >= 2);
  yield -(body - 2);
  assert((yield 2).readUInt16BE() === 0);
}

function assert(isWellFormed: boolean): asserts isWellFormed {
  if (!isWellFormed) throw new AnswerRefused('MALFORMED_ANSWER');
}
