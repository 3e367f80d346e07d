import { once } from 'node:events';
import { isIP, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import { withoutBrackets } from '../../kit/egress.js';
import { AnswerGuard, type GuardOptions } from './answer-guard.js';

/** Requests encryption: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** `preferred`: encrypt if the server supports it; `demanded`: always encrypt; `verified`: also verify the certificate's host. */
export type Encryption = 'none' | 'preferred' | 'demanded' | 'verified';

export interface Place {
  /** Host name from the settings, because the certificate is issued for the name and not for the address. */
  host: string;
  /** The resolved and allowed address. */
  address: string;
  port: number;
}

/** Connects and requests encryption. Other services do not respond to this request in PostgreSQL's format. */
export async function dial({ address, port }: Place, signal: AbortSignal): Promise<{ socket: Socket; offersTls: boolean }> {
  const socket = connect({ host: address, port });
  socket.setNoDelay(true);
  const stop = () => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    await once(socket, 'connect');
    socket.write(SSL_REQUEST);
    const answer = await firstAnswer(socket);
    // More bytes than the answer could be injected and treated as encrypted (CVE-2021-23222).
    if (answer !== 'S' && answer !== 'N') throw new NotPostgresql();
    return { socket, offersTls: answer === 'S' };
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function firstAnswer(socket: Socket): Promise<string> {
  const ended = new AbortController();
  socket.once('close', () => ended.abort(new NotPostgresql()));
  try {
    const [data] = (await once(socket, 'data', { signal: ended.signal })) as [Buffer];
    socket.pause();
    return data.toString('latin1');
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  }
}

/** The service at the address is not PostgreSQL. */
export class NotPostgresql extends Error {
  readonly code = 'NOT_POSTGRESQL';

  constructor() {
    super('the service is not PostgreSQL');
  }
}

export class WithoutTls extends Error {
  readonly code = 'NO_TLS';

  constructor() {
    super('the server does not support encryption');
  }
}

/** Encrypts an open connection. `authorized` is true if the certificate is valid for the host. */
export async function encrypt(socket: Socket, place: Place, isVerified: boolean, signal: AbortSignal): Promise<tls.TLSSocket> {
  const stop = () => void socket.destroy();
  signal.addEventListener('abort', stop);
  try {
    return await shakeHands(socket, place, isVerified);
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function shakeHands(socket: Socket, { host }: Place, isVerified: boolean): Promise<tls.TLSSocket> {
  const name = withoutBrackets(host).replace(/\.$/, '');
  const secure = tls.connect({
    socket,
    host: name,
    rejectUnauthorized: isVerified,
    ...(isIP(name) ? {} : { servername: name }),
  });
  const closed = new AbortController();
  secure.once('close', () => closed.abort(Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })));
  try {
    await once(secure, 'secureConnect', { signal: closed.signal });
  } catch (error) {
    secure.on('error', () => undefined).destroy();
    throw closed.signal.aborted && (error as Error).name === 'AbortError' ? closed.signal.reason : error;
  }
  return secure;
}

/**
 * The connection that pg uses. It encrypts before pg starts, hides rejected data from pg, and prevents errors in pg's reader from
 * crashing the process.
 */
export class GuardedSocket extends Duplex {
  /** Whether the connection is encrypted; null until known. */
  isEncrypted: boolean | null = null;
  /** In the time of `performance.now`. */
  sentAt = 0;
  receivedAt = 0;
  private readonly place: Place;
  private readonly encryption: Encryption;
  private readonly answers: Omit<GuardOptions, 'isEncrypted'>;
  private readonly stopping = new AbortController();
  private inner: Socket | null = null;

  constructor(place: Place, encryption: Encryption, answers: Omit<GuardOptions, 'isEncrypted'>) {
    super({ highWaterMark: 64 * 1024 });
    this.place = place;
    this.encryption = encryption;
    this.answers = answers;
  }

  /** Called by pg as on a `net.Socket`. Connects to the place given to the constructor. */
  connect(): this {
    this.open().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(isOn: boolean, delayMs: number): this {
    this.inner?.setKeepAlive(isOn, delayMs);
    return this;
  }

  ref(): this {
    this.inner?.ref();
    return this;
  }

  unref(): this {
    this.inner?.unref();
    return this;
  }

  /** An error in a listener ends its connection. Thrown from a socket event, it would crash the process. */
  override on(event: string | symbol, listener: (...values: never[]) => void): this {
    if (event !== 'data') return super.on(event, listener as (...values: unknown[]) => void);
    return super.on('data', (data: Buffer) => {
      try {
        (listener as (data: Buffer) => void)(data);
      } catch (error) {
        this.destroy(Object.assign(new Error('the answer could not be read', { cause: error }), { code: 'MALFORMED_ANSWER' }));
      }
    });
  }

  override _read(): void {
    this.inner?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.sentAt = performance.now();
    if (this.inner) this.inner.write(chunk, done);
    else done(new Error('not connected'));
  }

  override _final(done: () => void): void {
    const { inner } = this;
    // Does not wait for the server to close its side.
    inner?.end(() => inner.destroy());
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stopping.abort(error ?? new Error('the connection was closed'));
    this.inner?.destroy();
    done(error);
  }

  private async open(): Promise<void> {
    const { socket, isEncrypted } = await this.openInner();
    if (this.destroyed) return void socket.destroy();
    this.isEncrypted = isEncrypted;
    this.inner = socket;
    const guard = new AnswerGuard({ isEncrypted, ...this.answers });
    socket.on('data', (data: Buffer) => this.receive(guard, data));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.resume();
  }

  private receive(guard: AnswerGuard, data: Buffer): void {
    this.receivedAt = performance.now();
    try {
      guard.inspect(data);
      if (!this.push(data)) this.inner?.pause();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  private async openInner(): Promise<{ socket: Socket; isEncrypted: boolean }> {
    const { signal } = this.stopping;
    if (this.encryption === 'none') return { socket: await connectPlainly(this.place, signal), isEncrypted: false };
    const { socket, offersTls } = await dial(this.place, signal);
    if (!offersTls && this.encryption === 'preferred') return { socket, isEncrypted: false };
    if (!offersTls) {
      socket.destroy();
      throw new WithoutTls();
    }
    return { socket: await encrypt(socket, this.place, this.encryption === 'verified', signal), isEncrypted: true };
  }
}

async function connectPlainly({ address, port }: Place, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address, port });
  socket.setNoDelay(true);
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw signal.aborted ? signal.reason : error;
  }
  return socket;
}
