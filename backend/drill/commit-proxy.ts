import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A network in front of a PostgreSQL that can break exactly when a client commits. TLS must be off. */
export interface CommitProxy {
  port: number;
  /**
   * Breaks one connection at one of its next commits: `before` the server receives it, or `after` the server has executed it, so that
   * only the response is lost. Resolves once it is broken.
   */
  cutAtCommit(when: 'before' | 'after'): Promise<void>;
  /** Cuts that are ordered and have not happened yet are dropped. */
  cancel(): void;
  stop(): Promise<void>;
}

const COMMIT = /^commit$/i;
/** A simple query: type, length of four bytes, text, zero byte. */
const QUERY = 'Q'.charCodeAt(0);

export async function startCommitProxy(target: { host: string; port: number }): Promise<CommitProxy> {
  const sockets = new Set<net.Socket>();
  let ordered: { when: 'before' | 'after'; done: () => void }[] = [];
  const server = net.createServer((client) => {
    const upstream = net.connect(target.port, target.host);
    let isDeaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const end = (done?: () => void) => {
      client.destroy();
      upstream.destroy();
      done?.();
    };
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (bytes: Buffer) => {
      const order = isCommit(bytes) ? ordered.shift() : undefined;
      if (order?.when === 'before') return end(order.done);
      if (order) {
        isDeaf = true;
        upstream.once('data', () => end(order.done));
      }
      if (!upstream.write(bytes)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isDeaf || client.write(bytes)) return;
      upstream.pause();
      client.once('drain', () => upstream.resume());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAtCommit: (when) => new Promise((done) => ordered.push({ when, done })),
    cancel: () => {
      ordered = [];
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Both products' drivers send COMMIT alone, as a simple query, when the transaction's other responses have arrived. */
const isCommit = (bytes: Buffer): boolean =>
  bytes[0] === QUERY && bytes.length < 20 && COMMIT.test(bytes.subarray(5, -1).toString('latin1').trim());
