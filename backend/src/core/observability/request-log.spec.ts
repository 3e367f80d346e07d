import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { logRequests } from './request-log.js';

let server: Server;
afterEach(() => server.close());

/** A server whose requests below /open never end. */
async function aServer() {
  const entries: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null, redact: ['password'] },
    { write: (line: string) => entries.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = express();
  app.use(logRequests(logger));
  app.use((request, response) => {
    if (request.path === '/fails') response.status(503);
    if (!request.path.startsWith('/open')) response.send('done');
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { entries, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the log of requests', () => {
  it('has an entry for a request that the client has aborted', async () => {
    const { entries, url } = await aServer();
    const request = send(`${url}/open`);
    request.on('error', () => undefined);
    request.end();
    await once(server, 'request');
    request.destroy();
    await vi.waitFor(() => expect(entries).toMatchObject([{ msg: 'request aborted', req: { method: 'GET', path: '/open' } }]));
  });

  it('has one entry for each response, with its status and without its query', async () => {
    const { entries, url } = await aServer();
    const { headers } = await fetch(`${url}/fails?code=secret`, { headers: { 'x-request-id': 'from-the-caller' } });
    expect(headers.get('x-request-id')).toBe('from-the-caller');
    await vi.waitFor(() => expect(entries).toHaveLength(1));
    expect(entries).toMatchObject([
      {
        msg: 'request completed',
        req: { id: 'from-the-caller', method: 'GET', path: '/fails' },
        res: { status: 503 },
        responseTime: expect.any(Number) as number,
      },
    ]);
  });

  it('has no entries for health checks, which have an id too', async () => {
    const { entries, url } = await aServer();
    for (const path of ['/healthz', '/readyz']) {
      const { headers } = await fetch(url + path);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
    await fetch(`${url}/other`);
    await vi.waitFor(() => expect(entries).toHaveLength(1));
  });
});
