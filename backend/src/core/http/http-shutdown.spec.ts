import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../../test/app.js';

/** `docker stop` kills a process after this time. */
const MAX_STOP_MS = 10_000;

describe('a shutdown', () => {
  it('completes the request in progress and does not wait for idle connections', async () => {
    const app = await startTestApp();
    const { port } = new URL(app.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    socket.write('POST /api/v1/nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 2\r\n\r\n{');
    await once(app.nest.getHttpServer(), 'request');
    const beganAt = Date.now();
    const stopped = app.stop();
    while (app.nest.getHttpServer().listening) await new Promise(setImmediate);
    socket.write('}');
    await stopped;
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(Date.now() - beganAt).toBeLessThan(MAX_STOP_MS);
  });
});
