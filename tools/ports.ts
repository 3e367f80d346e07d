import { createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** A browser may take `localhost` for this one, and would then meet somebody else's server. */
const LOOPBACK_V6 = '::1';
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);
/** The machine has no IPv6: nobody can be there. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Binds for a moment: the port itself when it is free, null when it is taken. Port 0 asks the system for a free one. */
function tryPort(port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (TAKEN.has(error.code ?? '')) resolve(null);
      else if (NO_SUCH_ADDRESS.has(error.code ?? '')) resolve(port);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const chosen = (server.address() as AddressInfo).port;
      server.close(() => resolve(chosen));
    });
  });
}

export async function findFreePort(): Promise<number> {
  const port = await tryPort(0, LOOPBACK);
  if (port === null) throw new Error('the system has no free port');
  return port;
}

const isFree = async (port: number) => (await tryPort(port, LOOPBACK)) !== null && (await tryPort(port, LOOPBACK_V6)) !== null;

/** The wanted port, or a free one in its place. Ports already promised to a neighbour count as taken. */
export async function choosePort(wanted: number, promised: ReadonlySet<number> = new Set()): Promise<number> {
  if (wanted !== 0 && !promised.has(wanted) && (await isFree(wanted))) return wanted;
  for (;;) {
    const port = await findFreePort();
    if (!promised.has(port)) return port;
  }
}
