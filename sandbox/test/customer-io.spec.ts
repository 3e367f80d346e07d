import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../src/server.ts';

interface Arrived {
  messages: { kind: string; customerId: string | null; name?: string; isDuplicate: boolean; data: Record<string, unknown> }[];
  people: Record<string, Record<string, unknown>>;
}

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  await fetch(`${sandbox.url}/admin/faults`, { method: 'DELETE' });
  await fetch(`${sandbox.url}/admin/customer-io/messages`, { method: 'DELETE' });
});
afterAll(() => sandbox.close());

const ulid = '01JDAZ5V8W7C8RV1T3Y2QF9K4M';
const send = (method: string, path: string, body?: unknown, credentials = 'site:key', url = sandbox.url) =>
  fetch(`${url}/customer-io/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const arrived = async (query = '', url = sandbox.url): Promise<Arrived> =>
  (await (await fetch(`${url}/admin/customer-io/messages${query}`)).json()) as Arrived;
const fault = (name: string, parameters: object = {}) =>
  fetch(`${sandbox.url}/admin/faults`, {
    method: 'POST',
    body: JSON.stringify({ provider: 'customer-io', fault: name, ...parameters }),
  });

describe('Customer.io rejects', () => {
  it.each(['site:wrong', ':key', 'site:', ''])('the credentials "%s"', async (credentials) => {
    expect((await send('PUT', '/customers/u1', {}, credentials)).status).toBe(401);
    expect((await arrived()).messages).toEqual([]);
  });

  it.each([
    ['an event without a name', 'POST', '/customers/u1/events', { data: {} }],
    ['an id that is no ULID', 'POST', '/customers/u1/events', { name: 'app_created', id: 'once' }],
    ['data that is no object', 'POST', '/customers/u1/events', { name: 'app_created', data: [] }],
    ['a time in milliseconds', 'POST', '/events', { name: 'visited', timestamp: 1_795_000_000_000 }],
    ['a creation in milliseconds', 'PUT', '/customers/u1', { created_at: 1_795_000_000_000 }],
    ['what is no JSON', 'PUT', '/customers/u1', '{"email"'],
    ['an empty id', 'PUT', '/customers/%20', {}],
    ['an id that is too long', 'DELETE', `/customers/${'u'.repeat(151)}`, undefined],
    ['more than 32 kB', 'PUT', '/customers/u1', { note: 'x'.repeat(33_000) }],
  ])('%s', async (_what, method, path, body) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ meta: { error: expect.any(String) as string } });
    expect((await arrived()).messages).toEqual([]);
  });
});

describe('Customer.io stores', () => {
  it('a person with accumulated attributes until deletion', async () => {
    const path = `/customers/${encodeURIComponent('user/ü 1')}`;
    expect(await (await send('PUT', path, { email: 'owner@example.com', created_at: 1_795_000_000 })).json()).toEqual({});
    await send('PUT', path, { plan: 'monthly' });
    expect((await arrived()).people).toEqual({
      'user/ü 1': { email: 'owner@example.com', created_at: 1_795_000_000, plan: 'monthly' },
    });
    await send('DELETE', path);
    expect((await arrived()).people).toEqual({});
  });

  it('an event once, however often it is sent with its id', async () => {
    const event = { name: 'app_created', id: ulid, timestamp: 1_795_000_000, data: { app: 'google-ads' } };
    expect((await send('POST', '/customers/u1/events', event)).status).toBe(200);
    expect((await send('POST', '/customers/u1/events', event)).status).toBe(200);
    await send('POST', '/customers/u2/events', { name: 'other' });
    const { messages } = await arrived('?customerId=u1&name=app_created');
    expect(messages).toMatchObject([{ isDuplicate: false, data: { app: 'google-ads' } }, { isDuplicate: true }]);
  });

  it('an anonymous event, and a person after the end of a suppression', async () => {
    await send('POST', '/events', { name: 'visited', anonymous_id: 'a1' });
    await send('PUT', '/customers/u1', {});
    await send('POST', '/customers/u1/suppress');
    const { messages, people } = await arrived();
    expect(messages.map(({ kind }) => kind)).toEqual(['anonymous_event', 'identify', 'suppress']);
    expect(people).toEqual({});
  });

  it('everything across a restart, including event ids', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'customer-io-'));
    const event = { name: 'app_created', id: ulid };
    const before = await startSandbox({ dataDir });
    await send('POST', '/customers/u1/events', event, 'site:key', before.url);
    await before.close();
    const after = await startSandbox({ dataDir });
    await send('POST', '/customers/u1/events', event, 'site:key', after.url);
    expect((await arrived('', after.url)).messages.map(({ isDuplicate }) => isDuplicate)).toEqual([false, true]);
    await after.close();
    await rm(dataDir, { recursive: true });
  });
});

describe('Customer.io with faults', () => {
  it.each([
    ['server_error', 500],
    ['unauthorized', 401],
    ['throttle', 429],
  ])('with the fault %s returns %i, and nothing is stored', async (name, status) => {
    await fault(name, { times: 1, retryAfterSeconds: 7 });
    const answer = await send('PUT', '/customers/u1', {});
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
    expect((await arrived()).messages).toEqual([]);
    expect((await send('PUT', '/customers/u1', {})).status).toBe(200);
  });

  it('is down: no answer, and nothing is stored', async () => {
    await fault('down');
    await expect(send('PUT', '/customers/u1', {})).rejects.toThrow();
    expect((await arrived()).messages).toEqual([]);
  });

  it('is slow', async () => {
    await fault('slow', { delayMs: 200 });
    const startedAt = Date.now();
    await send('PUT', '/customers/u1', {});
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190);
  });

  it('fails after storing an event, which makes the next attempt a duplicate', async () => {
    const event = { name: 'app_created', id: ulid };
    await fault('fail_after_applying', { event: 'app_created', times: 1 });
    await fault('fail_after_applying', { event: 'app_created', times: 1, drop: true });
    expect((await send('PUT', '/customers/u1', {})).status).toBe(200);
    expect((await send('POST', '/customers/u1/events', event)).status).toBe(500);
    await expect(send('POST', '/customers/u1/events', event)).rejects.toThrow();
    expect((await send('POST', '/customers/u1/events', event)).status).toBe(200);
    const { messages } = await arrived('?name=app_created');
    expect(messages.map(({ isDuplicate }) => isDuplicate)).toEqual([false, true, true]);
  });
});
