import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A network between a client and a server that can be interrupted without notice. */
export interface TcpProxy {
  port: number;
  /** Stops all traffic in both directions without closing connections; sent data is discarded. */
  cut(): void;
  /** After `cut`: passes on what is sent from now on. */
  resume(): void;
  /** Refuses new connections and closes open ones. */
  close(): void;
  /** After `close`: accepts connections again, on the same port. */
  open(): Promise<void>;
  /** Resolves with the first data that a client sends into the interrupted network. */
  nextSwallowed(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
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
    resume: () => {
      isCut = false;
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
