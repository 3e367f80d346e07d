import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { sendRequest } from '../../../src/connectors/kit/http.js';
import { aContext } from '../context.js';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The limits are long, so that only a test that sets a short one can meet it on a busy machine. */
async function serve(listener: RequestListener, limits: { answerTimeoutMs?: number; idleTimeoutMs?: number } = {}) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    serviceName: 'The service',
    answerTimeoutMs: 30_000,
    idleTimeoutMs: 30_000,
    ...limits,
  };
}

const get = { method: 'GET' as const, path: '/report', headers: { authorization: 'Bearer secret-token' } };

it('times out when no answer arrives', async () => {
  const settings = await serve(() => undefined, { answerTimeoutMs: 200 });
  const context = aContext();
  await expect(sendRequest(settings, context, get)).rejects.toMatchObject({
    name: 'RetryLater',
    message: expect.stringContaining('no answer for 0.2 s'),
  });
  expect(context.requests).toMatchObject([{ status: null, url: `${settings.baseUrl}/report` }]);
});

it('times out when an answer stalls', async () => {
  const settings = await serve((_, response) => void response.write('[{'), { idleTimeoutMs: 200 });
  const answer = await sendRequest(settings, aContext(), get);
  await expect(answer.text()).rejects.toMatchObject({ name: 'RetryLater', message: expect.stringContaining('no answer for') });
});

it('does not time out because of a slow reader', async () => {
  const settings = await serve((_, response) => void response.end('x'.repeat(1_000_000)), { idleTimeoutMs: 1_000 });
  const answer = await sendRequest(settings, aContext(), get);
  let bytes = 0;
  for await (const part of answer.body) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 1_500));
    bytes += part.length;
  }
  expect(bytes).toBe(1_000_000);
});

it("aborts with the caller's reason", async () => {
  const controller = new AbortController();
  const sending = sendRequest(await serve(() => undefined), { ...aContext(), signal: controller.signal }, get);
  controller.abort(new Error('the run was cancelled'));
  await expect(sending).rejects.toThrow('the run was cancelled');
});

it('records the completed request without its headers', async () => {
  const context = aContext();
  const settings = await serve((_, response) => void response.writeHead(403, { 'request-id': 'abc' }).end('{}'));
  const answer = await sendRequest(settings, context, get);
  await answer.text();
  expect(context.requests).toEqual([
    { method: 'GET', url: `${settings.baseUrl}/report`, status: 403, durationMs: expect.any(Number), providerRequestId: 'abc' },
  ]);
});

it('does not record a secret in the query, and sends a form as a form', async () => {
  let seen = '';
  const settings = await serve(async (request, response) => {
    for await (const part of request) seen += String(part);
    seen += ` ${request.method} ${request.url} ${request.headers['content-type']}`;
    response.end('{}');
  });
  const context = aContext();
  const form = new URLSearchParams({ level: 'ad' });
  const secretQuery = { proof: 'a secret' };
  await (await sendRequest(settings, context, { method: 'DELETE', path: '/report?x=1', secretQuery, form })).text();
  expect(seen).toBe('level=ad DELETE /report?x=1&proof=a+secret application/x-www-form-urlencoded;charset=UTF-8');
  expect(JSON.stringify(context.requests)).toContain('/report?x=1"');
  expect(JSON.stringify(context.requests)).not.toContain('secret');
});

it('sends bytes unchanged', async () => {
  const settings = await serve((request, response) => void request.pipe(response));
  const bytes = new Uint8Array([0, 255, 10, 13]);
  const answer = await sendRequest(settings, aContext(), { method: 'POST', path: '/bytes', body: bytes });
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  expect(new Uint8Array(Buffer.concat(parts))).toEqual(bytes);
});

it.each([301, 302, 303, 307, 308])(
  'does not follow a redirect (%s), so no header or form reaches another host',
  async (status) => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['developer-token'] as string | undefined);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const settings = await serve((_, response) => void response.writeHead(status, { location }).end());
    const headers = { 'developer-token': 'a secret' };
    const form = new URLSearchParams({ refresh_token: 'a secret' });
    for (const request of [
      { method: 'GET' as const, path: '/report', headers },
      { method: 'POST' as const, path: '/token', headers, form },
      { method: 'POST' as const, path: '/rows', headers, json: { secret: 'a secret' } },
    ]) {
      const answer = await sendRequest(settings, aContext(), request);
      await answer.text();
      expect(answer.status).toBe(status);
    }
    other.closeAllConnections();
    other.close();
    expect(seen).toEqual([]);
  },
);
