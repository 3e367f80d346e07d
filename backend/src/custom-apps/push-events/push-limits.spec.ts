import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { DeleteOldAppData } from '../../apps/delete-old-app-data.js';
import type { NewPushKey, PushAnswer, PushEndpointEntry, PushReceiptEntry } from './push-endpoint.dto.js';

const EVENTS = 50;
const APPS = 3;
let app: TestApp;
let organization: Organization;
let first: Sender;

interface Sender {
  path: string;
  address: string;
  key: string;
}

beforeAll(async () => {
  app = await startTestApp({ PUSH_EVENTS_PER_ORGANIZATION: String(EVENTS), CUSTOM_APPS_PER_ORGANIZATION: String(APPS) });
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  first = await aSender();
});

const makeApp = () => organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'custom' });

async function aSender(): Promise<Sender> {
  const { body } = expectStatus(await makeApp(), 201);
  const path = `${organization.path}/apps/${body.id}`;
  const made = expectStatus(await organization.call.post<NewPushKey>(`${path}/push/rotate-key`), 200).body;
  return { path, key: made.key, address: new URL(made.endpoint.url).pathname };
}

const push = (body: unknown, { key, address }: Sender = first, headers: Record<string, string> = {}) =>
  app.http
    .withHeaders({ authorization: `Bearer ${key}`, ...headers })
    .post<PushAnswer & { code?: string; detail: string; errors: { field: string; message: string }[] }>(address, body);
const endpoint = async ({ path }: Sender = first) => (await organization.call.get<PushEndpointEntry>(`${path}/push`)).body;
const setSchema = async (schema: unknown) =>
  organization.call.patch<{ errors: { field: string; message: string }[] }>(`${first.path}/push`, {
    schema,
    version: (await endpoint()).version,
  });
const events = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

const named = (count: number, value: object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

/** A schema that was stored before there were limits. */
const storeSchema = (schema: unknown) =>
  app.database.query('update push_endpoints set schema = $2, version = version + 1 where organization_id = $1', [
    organization.id,
    JSON.stringify(schema),
  ]);

describe('a schema of events', () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const list = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`);

  it.each<[string, unknown, RegExp]>([
    ['with more than 1,000 values in enums', { properties: named(2, { enum: numbers(501) }) }, /at most 1000 values in enums/],
    ['that is 11 levels deep', deep(11), /at most 10 levels/],
    [
      'with more than 200 properties',
      { properties: { a: { properties: named(150, {}) }, b: { properties: named(60, {}) } } },
      /at most 200 properties/,
    ],
    ['that requires more than 200 fields', { required: Array.from({ length: 201 }, () => 'a') }, /at most 200 required/],
    ['of more than 20 kB', { description: 'x'.repeat(21_000) }, /at most 20000 bytes/],
  ])('%s is rejected with the limit', async (_what, schema, message) => {
    const { status, body } = await setSchema(schema);
    expect(status).toBe(400);
    expect(body.errors[0]?.message).toMatch(message);
    expect((await endpoint()).schema).toBeNull();
  });

  it('within the limits is accepted', async () => {
    expectStatus(await setSchema({ properties: named(150, { enum: ['a'] }), required: Object.keys(named(150, {})) }), 200);
    expectStatus(await setSchema(deep(9)), 200);
  });

  it('that no event matches returns a limited number of errors per event and call', async () => {
    await storeSchema({ required: list(1_000), properties: { a: { items: { enum: list(1_000) } } } });
    const { status, body } = await push(Array.from({ length: 1_000 }, () => ({ a: Array.from({ length: 50 }, () => 'x') })));
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'push.invalid_event' });
    expect(body.errors).toHaveLength(50);
    expect(new Set(body.errors.map(({ field }) => field.split('.')[0])).size).toBe(5);
    expect(Math.max(...body.errors.map(({ message }) => message.length))).toBeLessThan(500);
    expect(body.detail).toContain('5 or more of 1000 events');
    expect((await organization.call.get<{ items: PushReceiptEntry[] }>(`${first.path}/push/receipts`)).body.items).toHaveLength(
      5,
    );
  });

  it('with a stored enum accepts values of any type', async () => {
    await storeSchema({ properties: { a: { enum: ['1', 1, null, { b: [1] }] } } });
    expectStatus(await push([{ a: '1' }, { a: 1 }, { a: null }, { a: { b: [1] } }]), 202);
    expect((await push({ a: { b: [2] } })).status).toBe(422);
  });

  it('is applied in its current version', async () => {
    expectStatus(await setSchema({ required: ['a'] }), 200);
    expect((await push({ b: 1 })).status).toBe(422);
    expectStatus(await setSchema({ required: ['b'] }), 200);
    expectStatus(await push({ b: 1 }), 202);
  });
});

describe('a push beyond the limits', () => {
  it.each([
    ['lists that are 100,000 levels deep', `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`, 400],
    ['objects that are 100,000 levels deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
    ['200,000 values in a list', `[{"a":[${'1,'.repeat(200_000)}1]}]`, 400],
    ['50,000 fields', JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]))), 400],
    ['5,000 events', `[${'{},'.repeat(4_999)}{}]`, 413],
    ['300,000 events', `[${'{},'.repeat(300_000)}{}]`, 400],
  ])('%s: it is rejected, and the rejection is shown', async (_what, body, status) => {
    const answer = await push(body);
    expect(answer.status).toBe(status);
    expect((await organization.call.get<{ items: object[] }>(`${first.path}/push/receipts`)).body.items).toHaveLength(1);
  });

  it('in an unknown encoding is rejected with 415', async () => {
    const answer = await push('{}', first, { 'content-encoding': 'snappy' });
    expect(answer).toMatchObject({ status: 415, body: { code: 'request.unsupported_encoding' } });
  });

  it('without a valid key is rejected before its body is read', async () => {
    const answer = await push('x'.repeat(2_000_000), { ...first, key: 'trp_wrong' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'auth.invalid' } });
  });
});

describe('the events of an organization', () => {
  it('are limited by its quota over all its apps, and the page shows the used part', async () => {
    const second = await aSender();
    expectStatus(await push(events(30)), 202);
    const refused = await push(events(21), second);
    expect(refused).toMatchObject({ status: 409, body: { code: 'push.quota_reached' } });
    expectStatus(await push(events(20), second), 202);
    expect((await push(events(1))).status).toBe(409);
    expect(await endpoint()).toMatchObject({ eventsKept: 30, quota: { events: 50, used: 50 } });
    expect(await endpoint(second)).toMatchObject({ eventsKept: 20, quota: { events: 50, used: 50 } });
    const { items } = (await organization.call.get<{ items: PushReceiptEntry[] }>(`${first.path}/push/receipts`)).body;
    expect(items[0]).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('50') });
  });

  it('are limited by its quota for concurrent calls', async () => {
    const second = await aSender();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => push(events(10), index % 2 ? first : second)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(15);
    expect((await endpoint()).quota.used).toBe(50);
    expect(await rows()).toBe(50);
  });

  it('count once if they are duplicates, and no longer count once they expire', async () => {
    expectStatus(
      await organization.call.patch(`${first.path}/push`, { dedupeField: 'index', version: (await endpoint()).version }),
      200,
    );
    expectStatus(await push(events(50)), 202);
    expect((await endpoint()).quota.used).toBe(50);
    await app.database.query(
      `update push_events set received_at = now() - interval '91 days'
        where id in (select id from push_events where organization_id = $1 order by id limit 20)`,
      [organization.id],
    );
    await app.get(DeleteOldAppData).deleteOld();
    expect(await endpoint()).toMatchObject({ eventsKept: 30, quota: { used: 30 } });
    expect(await rows()).toBe(30);
    expectStatus(await push(events(20)), 202);
  });

  it('no longer count once their app is deleted', async () => {
    const second = await aSender();
    expectStatus(await push(events(50)), 202);
    expect((await push(events(1), second)).status).toBe(409);
    expectStatus(await organization.call.delete(first.path), 204);
    expect((await endpoint(second)).quota.used).toBe(0);
    expectStatus(await push(events(50), second), 202);
    expect((await push(events(1), second)).status).toBe(409);
  });

  it('of deleted apps are limited too, so that deleting apps does not free the quota again and again', async () => {
    const [second, third] = [await aSender(), await aSender()];
    for (const sender of [first, second]) {
      expectStatus(await push(events(50), sender), 202);
      expectStatus(await organization.call.delete(sender.path), 204);
    }
    expect(await push(events(1), third)).toMatchObject({
      status: 409,
      body: { code: 'push.quota_reached', detail: expect.stringContaining('deleted apps') },
    });
  });

  it('are counted correctly for concurrent changes', async () => {
    await Promise.all([push(events(5)), push(events(7)), app.get(DeleteOldAppData).deleteOld(), push(events(3))]);
    expect((await endpoint()).eventsKept).toBe(await rows());
  });

  const rows = async () =>
    (await app.database.query<{ count: number }>('select count(*)::int as count from push_events where organization_id = $1', [organization.id]))[0]?.count; // prettier-ignore
});

describe('the custom apps of an organization', () => {
  it('are limited by their quota, also for concurrent calls, and a deleted one no longer counts', async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, makeApp))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(APPS - 1);
    const refused = await makeApp();
    expect(refused).toMatchObject({ status: 409, body: { code: 'app.custom_limit' } });
    expectStatus(await organization.call.post(`${organization.path}/apps`, { provider: 'google_ads' }), 201);
    expectStatus(await organization.call.delete(first.path), 204);
    expectStatus(await makeApp(), 201);
  });
});
