import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { choosePort, findFreePort } from './ports.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function occupy(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

describe('choosePort', () => {
  it('replaces a port that is in use', async () => {
    const taken = await occupy('127.0.0.1');
    expect(await choosePort(taken)).not.toBe(taken);
  });

  it('replaces a port that is in use on all addresses', async () => {
    const taken = await occupy('0.0.0.0');
    expect(await choosePort(taken)).not.toBe(taken);
  });

  it('replaces a port that is in use on ::1 only, which browsers try first for localhost', async () => {
    const taken = await occupy('::1');
    expect(await choosePort(taken)).not.toBe(taken);
  });

  it('replaces a port that is reserved for another process', async () => {
    const port = await findFreePort();
    expect(await choosePort(port, new Set([port]))).not.toBe(port);
  });

  it('returns a free port unchanged', async () => {
    const port = await findFreePort();
    expect(await choosePort(port)).toBe(port);
  });
});
