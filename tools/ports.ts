import { createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** Browsers may resolve `localhost` to this address, where another program's server may listen. */
const LOOPBACK_V6 = '::1';
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);
/** The machine has no IPv6, so the port is free there. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Binds the port briefly. Returns it if it is free, null if it is in use. For port 0 the system chooses a free one. */
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
  if (port === null) throw new Error('No free TCP port. Close other programs and try again');
  return port;
}

const isFree = async (port: number) => (await tryPort(port, LOOPBACK)) !== null && (await tryPort(port, LOOPBACK_V6)) !== null;

/** Returns the wanted port, or another free one. Reserved ports count as in use. */
export async function choosePort(wanted: number, reserved: ReadonlySet<number> = new Set()): Promise<number> {
  if (wanted !== 0 && !reserved.has(wanted) && (await isFree(wanted))) return wanted;
  for (;;) {
    const port = await findFreePort();
    if (!reserved.has(port)) return port;
  }
}
