/**
 * Maximum size of one answer, or of all answers in a check. The largest regular answer, the daily sums of a slice, is below 100
 * kB. A source, whose answers are rows of the user, has its own limit.
 */
export const ANSWER_LIMIT_BYTES = 1024 * 1024;

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const HEADER_BYTES = 5;
const LENGTH_BYTES = 4;
const AUTHENTICATION = { ok: 0, clearText: 3, md5: 5 };
/** Minimum size: the terminating zero of the name and the fixed parts of a column. */
const COLUMN_BYTES = 19;

export type AnswerFault = 'ANSWER_TOO_LARGE' | 'MALFORMED_ANSWER' | 'CLEAR_TEXT_PASSWORD';

/** The error code is mapped to a user message, like codes of PostgreSQL and of the network. */
export class AnswerRejected extends Error {
  readonly code: AnswerFault;

  constructor(code: AnswerFault) {
    super(`the server's answer was rejected: ${code}`);
    this.code = code;
  }
}

export interface GuardOptions {
  /** On an unencrypted connection, passwords are sent with SCRAM only. */
  isEncrypted: boolean;
  /** Whether the limit applies per statement; otherwise to the whole connection. */
  isPerStatement: boolean;
  /** Default: `ANSWER_LIMIT_BYTES`. */
  limitBytes?: number | undefined;
}

/**
 * Validates what a server sends before pg reads it. pg trusts the counts and lengths in messages. Wrong ones could fill the
 * memory, crash the process or cause an endless loop.
 */
export class AnswerGuard {
  private readonly options: GuardOptions;
  private readonly limitBytes: number;
  private readonly messages: Generator<number, never, Buffer>;
  private readonly held = Buffer.alloc(HEADER_BYTES + LENGTH_BYTES);
  private heldBytes = 0;
  /** Number of bytes the message reader needs next; negative: bytes to skip. */
  private wanted: number;
  private bytes = 0;

  constructor(options: GuardOptions) {
    this.options = options;
    this.limitBytes = options.limitBytes ?? ANSWER_LIMIT_BYTES;
    this.messages = this.readMessages();
    this.wanted = this.messages.next().value;
  }

  /** Throws if the data must not reach pg. */
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
    if (this.bytes > this.limitBytes) throw new AnswerRejected('ANSWER_TOO_LARGE');
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
      if (body < 0) throw new AnswerRejected('MALFORMED_ANSWER');
      if (body > this.limitBytes) throw new AnswerRejected('ANSWER_TOO_LARGE');
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
    if (isReadable && !this.options.isEncrypted) throw new AnswerRejected('CLEAR_TEXT_PASSWORD');
    yield -(body - 4);
  }
}

/** Each field must lie within the row, after the previous one. */
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

/**
 * The fields end with two zeros: the end of the last text and the end of the list. pg searches for the second one without a
 * limit.
 */
function* readFields(body: number): Generator<number, void, Buffer> {
  assert(body >= 2);
  yield -(body - 2);
  assert((yield 2).readUInt16BE() === 0);
}

function assert(isWellFormed: boolean): asserts isWellFormed {
  if (!isWellFormed) throw new AnswerRejected('MALFORMED_ANSWER');
}
