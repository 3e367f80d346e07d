import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A network between a client and a server, which can be cut without either of them being told. */
export interface TcpFront {
  port: number;
  /** From now on nothing goes through in either direction, and nothing is closed; what was sent is swallowed. */
  cut(): void;
  /** From now on connections are refused, and those that were open are broken off. */
  close(): void;
  /** After `close`: connections are accepted again, on the same port. */
  open(): Promise<void>;
  /** Resolves with the first that a client sends into the cut network. */
  nextSwallowed(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTcpFront(target: { host: string; port: number }): Promise<TcpFront> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let swallowed: () => void = () => undefined;
  const pass = (from: net.Socket, to: net.Socket, onSwallowed: () => void) =>
    from.on('data', (bytes: Buffer) => {
      if (isCut) return onSwallowed();
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
  const server = net.createServer((client) => {
    const upstream = net.connect(target.port, target.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    pass(client, upstream, () => swallowed());
    pass(upstream, client, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return {
    port,
    cut: () => {
      isCut = true;
    },
    nextSwallowed: () => new Promise((resolve) => (swallowed = resolve)),
    close,
    open: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: async () => {
      if (!server.listening) return;
      close();
      await once(server, 'close');
    },
  };
}
