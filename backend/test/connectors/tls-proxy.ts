import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { ServerCertificate } from './certificates.js';

/** The first bytes of PostgreSQL clients that request encryption: the length, and a number that is not a version. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** A proxy in front of a PostgreSQL without encryption that adds encryption. */
export interface TlsProxy {
  address: string;
  port: number;
  /** Encryption of the clients that reached the sign-in, in order. */
  connections: ('encrypted' | 'plain')[];
  stop(): Promise<void>;
}

/** Without a certificate it answers that it has no encryption. */
export async function startTlsProxy(
  target: { host: string; port: number },
  certificate: ServerCertificate | null,
): Promise<TlsProxy> {
  const sockets = new Set<net.Socket>();
  const connections: TlsProxy['connections'] = [];
  const connect = (client: net.Socket, kind: 'encrypted' | 'plain', first: Buffer) => {
    connections.push(kind);
    const upstream = track(sockets, net.connect(target.port, target.host));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.write(first);
    client.pipe(upstream).pipe(client);
  };
  const server = net.createServer((socket) => {
    track(sockets, socket).once('data', (first: Buffer) => {
      if (!first.equals(SSL_REQUEST)) return connect(socket, 'plain', first);
      socket.write(certificate ? 'S' : 'N');
      // The client may continue unencrypted on the same connection.
      if (!certificate) return void socket.once('data', (startup: Buffer) => connect(socket, 'plain', startup));
      const secure = track(sockets, new tls.TLSSocket(socket, { isServer: true, ...certificate }));
      secure.once('data', (startup: Buffer) => connect(secure, 'encrypted', startup));
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    connections,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function track<Socket extends net.Socket>(sockets: Set<net.Socket>, socket: Socket): Socket {
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  return socket;
}
