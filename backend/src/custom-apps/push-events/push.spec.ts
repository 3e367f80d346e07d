import { PushedEvents } from './pushed-events.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { Notifications } from '../../core/database/notifications.js';
import type { NewPushKey, PushAnswer, PushEndpointEntry, PushReceiptEntry } from './push-endpoint.dto.js';
import { DeleteOldAppData } from '../../apps/delete-old-app-data.js';

let app: TestApp;
let organization: Organization;
let appPath: string;
let address: string;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  const { body } = await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'custom' });
  appPath = `${organization.path}/apps/${body.id}`;
  const made = await rotate();
  key = made.key;
  address = new URL(made.endpoint.url).pathname;
});

const rotate = async () => expectStatus(await organization.call.post<NewPushKey>(`${appPath}/push/rotate-key`), 200).body;
const push = (body: unknown, withKey = key, to = address) =>
  app.http
    .withHeaders({ authorization: `Bearer ${withKey}` })
    .post<PushAnswer & { code?: string; errors?: { field: string }[] }>(to, body);
const endpoint = async () => (await organization.call.get<PushEndpointEntry>(`${appPath}/push`)).body;
const receipts = async () => (await organization.call.get<{ items: PushReceiptEntry[] }>(`${appPath}/push/receipts`)).body.items;
const expecting = async (body: object) =>
  expectStatus(await organization.call.patch(`${appPath}/push`, { ...body, version: (await endpoint()).version }), 200);
const stored = async () => {
  const events = await app.get(PushedEvents).listAfter(organization.id, appPath.split('/').at(-1) ?? '', null, 2_000);
  return events.map(({ payload }) => ({ payload }));
};

const SALE = { orderId: 'A-1', value: 12.5, currency: 'EUR' };
const SCHEMA = {
  type: 'object',
  required: ['orderId', 'value'],
  properties: { orderId: { type: 'string' }, value: { type: 'number', minimum: 0 }, currency: { enum: ['EUR', 'USD'] } },
};

describe('personal data', () => {
  it('is stored encrypted, and masked in the list of payloads', async () => {
    const order = {
      orderId: 'A-1',
      customer: { email: 'ada@shop.example', phone: '0171 1234567' },
      note: 'call +49 171 1234567',
    };
    expectStatus(await push(order), 202);
    const dump = JSON.stringify([await app.database.query('select * from push_events'), await receipts()]);
    expect(dump).not.toMatch(/ada@shop|1234567/);
    expect((await receipts())[0]?.excerpt).toBe(
      '{"orderId":"A-1","customer":{"email":"[email]","phone":"[phone]"},"note":"call [phone]"}',
    );
    expect(await stored()).toEqual([{ payload: order }]);
  });
});

describe('a sender without the key', () => {
  it('gets the same error if the address, the key or the app does not exist, or the key was revoked', async () => {
    const answers = [await push(SALE, 'trp_wrong'), await push(SALE, key, '/push/of-nobody'), await push(SALE, '')];
    expectStatus(await organization.call.post(`${appPath}/push/revoke-key`), 200);
    answers.push(await push(SALE));
    const said = answers.map(({ status, body }) => ({ status, body: { ...body, requestId: null } }));
    expect(said[0]).toMatchObject({ status: 401, body: { code: 'auth.invalid' } });
    expect(said).toEqual(said.map(() => said[0]));
    expect([await stored(), await receipts()]).toEqual([[], []]);
  });

  it('is rejected with a sign-in or the key of another endpoint', async () => {
    const other = await anOrganization(app);
    const made = await other.call.post<{ id: string }>(`${other.path}/apps`, { provider: 'custom' });
    const foreign = await other.call.post<NewPushKey>(`${other.path}/apps/${made.body.id}/push/rotate-key`);
    expect((await push(SALE, foreign.body.key)).status).toBe(401);
    expect((await organization.call.post(address, SALE)).status).toBe(401);
  });

  it('is rejected with the previous key after a rotation, and with any key after the app is deleted', async () => {
    const { key: second } = await rotate();
    expect((await push(SALE)).status).toBe(401);
    expectStatus(await push(SALE, second), 202);
    expectStatus(await organization.call.delete(appPath), 204);
    expect((await push(SALE, second)).status).toBe(401);
  });
});

describe('invalid pushes', () => {
  it.each<[string, unknown, number, string]>([
    ['no JSON', '{"orderId": ', 400, 'request.malformed'],
    ['no UTF-8 text', '\u0000\ufffd', 400, 'request.malformed'],
    ['an empty list', [], 400, 'request.malformed'],
    ['a number', '7', 422, 'push.invalid_event'],
    ['a text that cannot be stored', '{"orderId": "\\u0000"}', 422, 'push.invalid_event'],
    ['an event that is too large', { orderId: 'x'.repeat(40_000) }, 422, 'push.invalid_event'],
    ['1,001 events', Array.from({ length: 1_001 }, (_, index) => ({ index })), 413, 'request.too_large'],
  ])('%s is rejected, not stored, and shown with its reason', async (_what, body, status, code) => {
    expect(await push(body)).toMatchObject({ status, body: { code } });
    expect(await stored()).toEqual([]);
    expect(await receipts()).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/\w/) }]);
  });

  it('a body of more than 1 MB is rejected before it is parsed', async () => {
    expect(await push({ text: 'x'.repeat(1_100_000) })).toMatchObject({ status: 413, body: { code: 'request.too_large' } });
    expect(await stored()).toEqual([]);
  });

  it('events that violate the schema are reported one by one, and no event of the call is stored', async () => {
    await expecting({ schema: SCHEMA });
    const { status, body } = await push([SALE, { orderId: 7, value: -1 }, { value: 'much', currency: 'XXX' }]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'push.invalid_event' });
    expect(body.errors?.map(({ field }) => field).sort()).toEqual(['1.orderId', '1.value', '2.currency', '2.orderId', '2.value']);
    expect(await stored()).toEqual([]);
    expect((await receipts()).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });

  it('events without the dedupe field, or with a rounded number in it, are rejected', async () => {
    await expecting({ dedupeField: 'orderId' });
    for (const body of ['{"value":1}', '{"orderId":""}', '{"orderId":12345678901234567890}', '{"orderId":null}'])
      expect(await push(body)).toMatchObject({ status: 422, body: { errors: [{ field: '0.orderId' }] } });
  });

  it('an event without a dedupe field that the schema requires has one error', async () => {
    await expecting({ schema: SCHEMA, dedupeField: 'orderId' });
    const { body } = await push('{"value":1}');
    expect(body.errors?.map(({ field }) => field)).toEqual(['0.orderId']);
  });

  it('numbers that would be rounded are rejected with their index and field, so that two orders do not become one', async () => {
    const order = (id: string) => `{"order": {"ids": ["A", ${id}]}, "value": 1.5}`;
    for (const id of ['12345678901234567890', '-9007199254740993', '1e400'])
      expect(await push(`[${order('9007199254740991')}, ${order(id)}]`)).toMatchObject({
        status: 422,
        body: { code: 'push.invalid_event', errors: [{ field: '1.order.ids.1' }] },
      });
    const [shown] = await receipts();
    expect(shown).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('order.ids.1 must be between -2^53 and 2^53'),
    });
    expectStatus(await push(`[${order('"12345678901234567890"')}, ${order('"12345678901234567891"')}]`), 202);
    expect(await stored()).toHaveLength(2);
  });

  it('a schema with a pattern, a reference or an unknown keyword is rejected with its path', async () => {
    for (const [schema, field] of [
      [{ properties: { a: { pattern: '(a+)+$' } } }, 'schema.properties.a'],
      [{ $ref: 'https://example.com/schema.json' }, 'schema'],
      [{ type: 'array' }, 'schema.type'],
    ] as const) {
      const { status, body } = await organization.call.patch(`${appPath}/push`, { schema, version: 1 });
      expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ field }] });
    }
  });
});

describe('events', () => {
  it('are stored unchanged before the response, only for the organization of the key', async () => {
    await expecting({ schema: SCHEMA, dedupeField: 'orderId' });
    const sent = { ...SALE, organizationId: '00000000-0000-7000-8000-000000000000', nested: { list: [1, { deep: 'ü' }] } };
    expect(expectStatus(await push(sent), 202).body).toEqual({ accepted: 1, duplicates: 0 });
    expect(await stored()).toEqual([{ payload: sent }]);
    expect(await receipts()).toMatchObject([{ outcome: 'accepted', reason: null, excerpt: JSON.stringify(sent) }]);
    expect(await endpoint()).toMatchObject({ eventsKept: 1, lastEventAt: expect.any(String) });
    expect((await organization.call.get(appPath)).body).toMatchObject({ state: 'connected' });
  });

  it('can be sent 1,000 in a call, and the last 20 are shown', async () => {
    await expecting({ dedupeField: 'index' });
    const thousand = Array.from({ length: 1_000 }, (_, index) => ({ index }));
    expect(expectStatus(await push(thousand), 202).body).toEqual({ accepted: 1_000, duplicates: 0 });
    expect(expectStatus(await push(thousand.toReversed()), 202).body).toEqual({ accepted: 0, duplicates: 1_000 });
    expect(await stored()).toHaveLength(1_000);
    const shown = await receipts();
    expect([shown.length, shown[0]?.outcome, shown[0]?.excerpt]).toEqual([20, 'duplicate', '{"index":0}']);
  });

  it('that are equal are stored once, for concurrent calls in any order', async () => {
    await expecting({ dedupeField: 'orderId' });
    const events = Array.from({ length: 20 }, (_, index) => ({ orderId: `A-${index}` }));
    const calls = Array.from({ length: 20 }, (_, index) => push(index % 2 ? events : events.toReversed()));
    const answers = (await Promise.all(calls)).map((answer) => expectStatus(answer, 202).body);
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(20);
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(380);
    expect(await stored()).toHaveLength(20);
  });

  it('are all stored without a dedupe field, and the same key in two apps counts as two events', async () => {
    expectStatus(await push([SALE, SALE]), 202);
    expect(await stored()).toHaveLength(2);
    await expecting({ dedupeField: 'orderId' });
    expect(expectStatus(await push([SALE, SALE]), 202).body).toEqual({ accepted: 1, duplicates: 1 });
    const other = await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'custom' });
    const made = await organization.call.post<NewPushKey>(`${organization.path}/apps/${other.body.id}/push/rotate-key`);
    expect(expectStatus(await push(SALE, made.body.key, new URL(made.body.endpoint.url).pathname), 202).body.accepted).toBe(1);
  });

  it('are published to event streams', async () => {
    const received: object[] = [];
    const subscription = app.get(Notifications).live.subscribe((event) => received.push(event));
    expectStatus(await push(SALE), 202);
    await eventually(
      async () => received,
      (events) => events.length > 0,
    );
    subscription.unsubscribe();
    expect(received[0]).toMatchObject({
      type: 'push',
      organizationId: organization.id,
      data: { appId: appPath.split('/').at(-1) },
    });
  });

  it('are deleted after 90 days, and receipts after 7 days or beyond the last 100', async () => {
    for (let call = 0; call < 6; call += 1) expectStatus(await push(Array.from({ length: 20 }, () => SALE)), 202);
    const count = (table: string) => app.database.query(`select 1 from ${table} where organization_id = $1`, [organization.id]);
    expect([(await count('push_events')).length, (await count('push_receipts')).length]).toEqual([120, 100]);
    await app.database.query(`update push_events set received_at = now() - interval '91 days' where organization_id = $1`, [
      organization.id,
    ]);
    await app.database.query(`update push_receipts set received_at = now() - interval '8 days' where organization_id = $1`, [
      organization.id,
    ]);
    await app.get(DeleteOldAppData).deleteOld();
    expect([await count('push_events'), await count('push_receipts')]).toEqual([[], []]);
  });
});

it('the key is not stored in plain text, and only the first response shows it', async () => {
  expectStatus(await push(SALE), 202);
  const answers = [(await organization.call.get(appPath)).body, await endpoint(), await receipts()];
  expect(JSON.stringify(answers)).not.toContain(key);
  const [row] = await app.database.query<{ row: string }>('select p::text as row from push_endpoints p where organization_id = $1', [organization.id]); // prettier-ignore
  expect(row?.row).toContain(key.slice(-4));
  expect(row?.row).not.toContain(key);
});
