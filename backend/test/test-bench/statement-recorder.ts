import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

export interface StatementRecorder {
  port: number;
  /** Texts of all statements that clients sent, in order. */
  statements: string[];
  stop(): Promise<void>;
}

/** First bytes of a request for encryption or a cancellation, which have no message type. */
const SSL_REQUEST = 80_877_103;

/** A network to a PostgreSQL that records the statements. Encryption is refused, because clients ask for it without requiring it. */
export async function startStatementRecorder(target: { host: string; port: number }): Promise<StatementRecorder> {
  const statements: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(target.port, target.host);
    for (const socket of [client, upstream])
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
    const read = messageReader((text) => statements.push(text));
    client.on('data', (bytes: Buffer) => {
      if (bytes.length === 8 && bytes.readInt32BE(4) === SSL_REQUEST) return void client.write('N');
      read(bytes);
      upstream.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: Query and Parse contain a statement. */
function messageReader(found: (text: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = hasStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      const body = rest.subarray(head + 4, length);
      const type = hasStarted ? String.fromCharCode(rest[0] as number) : '';
      if (type === 'Q') found(textAt(body, 0));
      if (type === 'P') found(textAt(body, body.indexOf(0) + 1));
      hasStarted = true;
      rest = rest.subarray(length);
    }
  };
}

const textAt = (body: Buffer, start: number): string => body.toString('utf8', start, body.indexOf(0, start));
