import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** How the fake server attacks. A benchmark starts it in the same way. */
export type HostileBehavior =
  /** Requests the password in clear text and records it. */
  | 'asks_clear_text'
  /** Requests an MD5 response and records it. */
  | 'asks_md5'
  /** Requests SCRAM with an iteration count that needs minutes of CPU. */
  | 'slow_scram'
  /** Accepts every sign-in and returns endless rows for every query. */
  | 'endless_rows'
  /** Accepts every sign-in and returns one message of almost 2 GB. */
  | 'huge_message'
  /** Sends endless notices instead of requesting the password. */
  | 'endless_notices'
  /** One byte of a notice every 50 ms. */
  | 'slow_drip'
  /** Rows of 11 bytes that claim 32,767 fields each, all of which a lenient parser finds in the same four bytes. */
  | 'amplified_rows'
  /** A row that ends before its last field. */
  | 'truncated_row'
  /** An error without the end of its fields: a lenient parser loops forever. */
  | 'unterminated_error'
  /** A row whose fields point back and forth in it, so that a lenient parser reads the same 100 kB thousands of times. */
  | 'overlapping_fields'
  /** Unusually long texts: the version and error codes. */
  | 'long_texts'
  /** An error whose code is 100 kB long. */
  | 'long_error_code'
  /** Rejects every sign-in with `refusal`, like a pooler. */
  | 'rejects_sign_in'
  /** Accepts the connection and sends nothing. */
  | 'silent'
  /** Accepts the connection and closes it, like another service. */
  | 'closes'
  /** Responds like a web server. */
  | 'not_postgresql';

export interface HostilePostgres {
  port: number;
  /** Every response to a password request, as text. */
  passwords: string[];
  /** Connections accepted so far. */
  connections(): number;
  openConnections(): number;
  stop(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const RUNAWAY_LENGTH = 0x7fff_fff0;

/** A fake PostgreSQL on 127.0.0.1 that misbehaves in the configured way. It offers no encryption. */
export async function startHostilePostgres(
  behaviour: HostileBehavior,
  refusal: Refusal = { code: '28000', text: 'no' },
): Promise<HostilePostgres> {
  const sockets = new Set<net.Socket>();
  const passwords: string[] = [];
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    serve(socket, behaviour, passwords, refusal);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    passwords,
    connections: () => connections,
    openConnections: () => sockets.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Refusal {
  code: string;
  text: string;
}

function serve(socket: net.Socket, behaviour: HostileBehavior, passwords: string[], refusal: Refusal): void {
  if (behaviour === 'closes') return void socket.destroy();
  let hasStarted = false;
  socket.on('data', (data: Buffer) => {
    if (behaviour === 'silent') return;
    if (behaviour === 'not_postgresql') return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    if (!hasStarted && data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) return void socket.write('N');
    if (!hasStarted) {
      hasStarted = true;
      if (behaviour === 'rejects_sign_in') return void socket.end(errorWith(refusal.code, refusal.text));
      return start(socket, behaviour);
    }
    if (data[0] === 0x70) {
      passwords.push(data.subarray(5).toString('latin1'));
      if (behaviour === 'slow_scram') return void socket.write(scramChallenge(data));
      return void socket.write(Buffer.concat([authenticated, ready]));
    }
    answerQuery(socket, behaviour);
  });
}

function start(socket: net.Socket, behaviour: HostileBehavior): void {
  if (behaviour === 'asks_clear_text') return void socket.write(message('R', int32(3)));
  if (behaviour === 'asks_md5') return void socket.write(message('R', int32(5), Buffer.from('salt')));
  if (behaviour === 'slow_scram') return void socket.write(message('R', int32(10), Buffer.from('SCRAM-SHA-256\0\0')));
  if (behaviour === 'endless_notices') return flood(socket, notice);
  if (behaviour === 'long_error_code') return void socket.write(errorWith('X'.repeat(100_000)));
  if (behaviour === 'unterminated_error') return void socket.write(message('E', Buffer.from('Sx')));
  if (behaviour === 'slow_drip') return drip(socket);
  socket.write(Buffer.concat([authenticated, ready]));
}

function answerQuery(socket: net.Socket, behaviour: HostileBehavior): void {
  if (behaviour === 'endless_rows') return flood(socket, row(Buffer.alloc(1_000, 'x')), rowDescription('version'));
  if (behaviour === 'huge_message') {
    const header = Buffer.concat([Buffer.from('D'), int32(RUNAWAY_LENGTH)]);
    return flood(socket, Buffer.alloc(65_536, 'x'), Buffer.concat([rowDescription('version'), header]));
  }
  if (behaviour === 'amplified_rows') return flood(socket, amplifiedRow, rowDescription('version'));
  if (behaviour === 'overlapping_fields') return void socket.write(Buffer.concat([rowDescription('version'), overlappingRow()]));
  if (behaviour === 'truncated_row') {
    const claimed = message('D', int16(5), int32(900_000), Buffer.from('x'));
    return void socket.write(Buffer.concat([rowDescription('version'), claimed, ready]));
  }
  if (behaviour === 'long_texts') {
    const version = row(Buffer.from(`99\0${'9'.repeat(200_000)}`));
    return void socket.write(Buffer.concat([rowDescription('version'), version, message('C', Buffer.from('SELECT 1\0')), ready]));
  }
  socket.write(Buffer.concat([message('C', Buffer.from('SELECT 0\0')), ready]));
}

/** Writes as fast as the client reads, at most one socket buffer ahead. */
function flood(socket: net.Socket, unit: Buffer, first: Buffer = Buffer.alloc(0)): void {
  const times = Math.max(1, Math.floor(65_536 / unit.length));
  const block = Buffer.concat(Array.from({ length: times }, () => unit));
  const fill = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', fill);
  socket.write(first);
  fill();
}

function drip(socket: net.Socket): void {
  let offset = 0;
  const timer = setInterval(() => socket.write(notice.subarray(offset, ++offset)), 50);
  socket.on('close', () => clearInterval(timer));
}

const int16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
};

const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const authenticated = message('R', int32(0));
const ready = message('Z', Buffer.from('I'));
const notice = message('N', Buffer.from(`SNOTICE\0C00000\0M${'x'.repeat(8_000)}\0\0`));
const errorWith = (code: string, text = 'no'): Buffer => message('E', Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`));

/** One column of text. */
const rowDescription = (name: string): Buffer =>
  message('T', int16(1), Buffer.from(`${name}\0`), int32(0), int16(0), int32(25), int16(0xffff), int32(-1), int16(0));

const row = (value: Buffer): Buffer => message('D', int16(1), int32(value.length), value);

/** The length of the first field is -4, so that a reader that trusts it reads the same four bytes again for the next one. */
const amplifiedRow = message('D', int16(0x7fff), int32(-4));

/** Two lengths that send a reader 100 kB forward, and back to the first of them. */
function overlappingRow(): Buffer {
  const jump = 100_000;
  const fields = 0x7ffe;
  return message('D', int16(fields), int32(jump), Buffer.alloc(jump, 'x'), int32(-(jump + 8)), Buffer.alloc(4 * fields));
}

/** Repeats the client's nonce, as the protocol requires, and requests the maximum number of iterations. */
function scramChallenge(response: Buffer): Buffer {
  const nonce = /r=([^,\0]+)/.exec(response.toString('latin1'))?.[1] ?? '';
  return message('R', int32(11), Buffer.from(`r=${nonce}abc,s=${Buffer.from('salt').toString('base64')},i=2000000000`));
}
