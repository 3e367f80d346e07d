import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { v7 } from 'uuid';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnection,
  anOrganization,
  aUser,
  authorize,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import { aMember } from '../../test/teams.js';
import { Outbox } from '../core/outbox/outbox.js';
import { ulidOf } from './ulid.js';

interface Message {
  kind: string;
  customerId: string;
  name?: string;
  id?: string;
  timestamp?: number;
  data: Record<string, unknown>;
  isDuplicate: boolean;
}

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  sandbox = await startSandbox();
  const url = `${sandbox.url}/customer-io/api/v1`;
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url), CUSTOMER_IO_URL: url });
  warehouse = await startWarehouse();
});
afterAll(async () => {
  await app?.stop();
  await warehouse?.stop();
  await sandbox?.stop();
});
beforeEach(() => sandbox.clearFaults());

async function messagesOf(uid: string): Promise<Message[]> {
  const answer = await fetch(`${sandbox.url}/admin/customer-io/messages?customerId=${encodeURIComponent(uid)}`);
  return ((await answer.json()) as { messages: Message[] }).messages;
}
async function personOf(uid: string): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${sandbox.url}/admin/customer-io/messages`);
  return ((await answer.json()) as { people: Record<string, Record<string, unknown>> }).people[uid];
}
/** Events without duplicates. */
const eventsOf = async (uid: string): Promise<Message[]> =>
  (await messagesOf(uid)).filter(({ kind, isDuplicate }) => kind === 'event' && !isDuplicate);
const fault = async (name: string, parameters: object = {}) => {
  const body = JSON.stringify({ provider: 'customer-io', fault: name, ...parameters });
  const answer = await fetch(`${sandbox.url}/admin/faults`, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
};
const waiting = (organization: Organization) =>
  app.database.query<{ id: string; name: string; state: string; attempts: number; last_error: string | null }>(
    `select id, name, state, attempts, last_error from outbox_messages where kind = 'analytics' and organization_id = $1 order by id`,
    [organization.id],
  );
async function attempted(): Promise<{ attempts: number; error: string }> {
  const [row] = await app.database.query<{ attempts: number; error: string }>(
    `select sum(attempts)::int as attempts, max(last_error) as error from outbox_messages where kind = 'analytics'`,
  );
  if (!row) throw new Error('An aggregate returns one row');
  return row;
}

/** Makes all queued messages due and delivers them. */
async function deliverAll(): Promise<void> {
  await app.database.query(`update outbox_messages set next_attempt_at = now() where state = 'queued'`);
  await app.get(Outbox).deliverDue('analytics');
}

describe('an outage of Customer.io', () => {
  it('fails no request, and loses or duplicates no event', async () => {
    await fault('down');
    const owner = await aUser(app);
    const organization = await anOrganization(app, owner);
    const traits = { userId: owner.uid, traits: { plan: 'trial' } };
    expectStatus(await organization.call.post('/api/customerio/identify', traits), 200);
    const tracked = {
      userId: owner.uid,
      eventName: 'Source Created',
      properties: { company_id: organization.id, type: 'meta_ads' },
    };
    expectStatus(await organization.call.post('/api/customerio/track', tracked), 200);
    // Each attempt ends with the first message that cannot be delivered. The worker may attempt it at the same time.
    await eventually(
      async () => {
        await deliverAll();
        return attempted();
      },
      ({ attempts }) => attempts >= 10,
    );
    const failing = await waiting(organization);
    expect(failing.map(({ name }) => name)).toEqual(['identify', 'Organization Created', 'Source Created']);
    for (const message of failing) expect(message).toMatchObject({ state: 'queued' });
    expect((await attempted()).error).toContain('could not be reached');
    expect(await messagesOf(owner.uid)).toEqual([]);

    await sandbox.clearFaults();
    // After the outage it applies two requests but returns an error.
    await fault('fail_after_applying', { times: 2 });
    // A failed message waits, and holds up the later ones of its person.
    await eventually(
      async () => {
        await deliverAll();
        return waiting(organization);
      },
      (messages) => messages.every(({ state }) => state === 'delivered'),
    );
    await eventually(
      () => messagesOf(owner.uid),
      (messages) =>
        messages.filter(({ kind }) => kind === 'identify').length >= 3 && messages.filter(({ name }) => name).length >= 3,
    );
    const events = await eventsOf(owner.uid);
    expect(events.map(({ name }) => name).toSorted()).toEqual(['Account Created', 'Organization Created', 'Source Created']);
    expect(events.find(({ name }) => name === 'Source Created')).toMatchObject({
      id: ulidOf((await waiting(organization)).at(-1)!.id),
      data: { company_id: organization.id, user_id: owner.uid, type: 'meta_ads' },
    });
    expect(await personOf(owner.uid)).toMatchObject({ plan: 'trial', email: owner.email, company_id: organization.id });
  });

  it('caused by a rejected key fails no message: all are queued until the key is fixed', async () => {
    await fault('unauthorized');
    const owner = await aUser(app);
    const organization = await anOrganization(app, owner);
    // Other errors would fail the messages after two days of retries.
    for (let round = 0; round < 40; round += 1) await deliverAll();
    for (const message of await waiting(organization)) expect(message).toMatchObject({ state: 'queued', attempts: 0 });
    const rejected = await app.database.query(
      `select from outbox_messages where state = 'queued' and content is not null and last_error like '%answered 401%'`,
    );
    expect(rejected.length).toBeGreaterThan(0);

    await sandbox.clearFaults();
    await deliverAll();
    await eventually(
      () => waiting(organization),
      (messages) => messages.length === 2 && messages.every(({ state }) => state === 'delivered'),
    );
    expect(await personOf(owner.uid)).toMatchObject({ email: owner.email, company_id: organization.id });
    expect((await eventsOf(owner.uid)).map(({ name }) => name).toSorted()).toEqual(['Account Created', 'Organization Created']);
  });

  it('does not retry a message that is rejected permanently', async () => {
    const owner = await aUser(app);
    const organization = await anOrganization(app, owner);
    const traits = { userId: owner.uid, traits: { created_at: 1_799_000_000_000 } };
    expectStatus(await organization.call.post('/api/customerio/identify', traits), 200);
    const [rejected] = await eventually(
      () =>
        app.database.query<{ last_error: string }>(
          `select last_error from outbox_messages where name = 'identify' and state = 'failed' and organization_id is null`,
        ),
      (rows) => rows.length > 0,
    );
    expect(rejected?.last_error).toContain('Customer.io answered 400');
  });
});

describe('the traits of a person', () => {
  it('are sent when they are first known and when they change, once each', async () => {
    const owner = await aUser(app);
    const { uid } = owner;
    const organization = await anOrganization(app, owner);
    const [{ seconds } = { seconds: 0 }] = await app.database.query<{ seconds: number }>(
      'select extract(epoch from created_at)::int as seconds from users where uid = $1',
      [uid],
    );
    const known = { email: owner.email, name: `Name of ${uid}`, created_at: seconds, company_id: organization.id };
    await eventually(
      () => personOf(uid),
      (person) => person?.['company_id'] !== undefined && person['email'] !== undefined,
    );
    expect(await personOf(uid)).toEqual(known);

    await aUser(app, owner);
    const renamed = { ...owner, email: `new-${owner.email}` };
    await aUser(app, renamed);
    const person = await eventually(
      () => personOf(uid),
      (found) => found?.['email'] === renamed.email,
    );
    expect(person).toEqual({ ...known, email: renamed.email });
    expect((await messagesOf(uid)).filter(({ kind }) => kind === 'identify')).toHaveLength(3);
  });

  it('contain the organization that the person joins', async () => {
    const organization = await anOrganization(app);
    const { user } = await aMember(app, organization, 'viewer');
    await eventually(
      () => personOf(user.uid),
      (person) => person?.['company_id'] === organization.id,
    );
  });

  it('are delivered in order, also when an older delivery fails', async () => {
    const owner = await aUser(app);
    const identify = (traits: object) => app.http.as(owner).post('/api/customerio/identify', { traits });
    await eventually(
      () => messagesOf(owner.uid),
      (messages) => messages.length === 2,
    );
    await fault('server_error', { customerId: owner.uid, times: 1 });
    expectStatus(await identify({ plan: 'trial', seats: 1 }), 200);
    const identifies = () =>
      app.database.query<{ state: string; attempts: number }>(
        'select state, attempts from outbox_messages where sequence = $1 order by id',
        [`identify:${owner.uid}`],
      );
    await eventually(identifies, (messages) => messages[1]?.attempts === 1);
    expectStatus(await identify({ plan: 'monthly' }), 200);
    const { uid } = await aUser(app);
    await eventually(
      () => personOf(uid),
      (person) => person !== undefined,
    );
    // The newer message is due but waits for the older one of the same person.
    expect(await identifies()).toMatchObject([{ state: 'delivered' }, { state: 'queued' }, { state: 'queued', attempts: 0 }]);
    await deliverAll();
    await eventually(identifies, (messages) => messages.every(({ state }) => state === 'delivered'));
    expect(await personOf(owner.uid)).toMatchObject({ plan: 'monthly', seats: 1 });
  });
});

describe('a client event', () => {
  it('is sent unless the product has raised the same event', async () => {
    const organization = await anOrganization(app);
    const { uid } = organization.owner;
    const company_id = organization.id;
    const track = async (eventName: string, properties: object) => {
      const { body } = expectStatus(
        await organization.call.post('/api/customerio/track', { userId: uid, eventName, properties }),
        200,
      );
      expect(body).toEqual({ success: true, message: 'Event tracked' });
    };
    await track('Account Created', { company_id });
    await track('Organization Created', {});
    for (const type of ['meta_ads', 'google_ads']) await track('Source Created', { company_id, type });
    await track('Error Received', { error_message: 'first' });
    await track('Error Received', { error_message: 'second' });
    const events = await eventually(
      () => eventsOf(uid),
      (found) => found.length >= 6,
    );
    await deliverAll();
    expect((await eventsOf(uid)).map(({ name }) => name).toSorted()).toEqual([
      'Account Created',
      'Error Received',
      'Error Received',
      'Organization Created',
      'Source Created',
      'Source Created',
    ]);
    expect(events.filter(({ name }) => name === 'Source Created').map(({ data }) => data['type'])).toEqual([
      'meta_ads',
      'google_ads',
    ]);
  });
});

describe('the product’s events', () => {
  it('are raised once each, with their properties', async () => {
    const organization = await anOrganization(app);
    const { uid } = organization.owner;
    const company = { company_id: organization.id, user_id: uid };
    const joined = await aMember(app, organization, 'viewer');
    const connection = await aConnection(organization, warehouse, { historyDays: 3 });
    const entry = (
      await organization.call.get<{ source: { id: string; appId: string }; destination: { id: string } }>(connection.path)
    ).body;
    await eventually(
      () => organization.call.get(connection.path),
      ({ body }) => body['health'] === 'healthy',
    );
    await app.database.query(`update apps set state = 'needs_reauth' where id = $1`, [entry.source.appId]);
    expectStatus(await organization.call.post(`${connection.path}/run`), 202);
    await eventually(
      () => eventsOf(uid),
      (events) => events.some(({ name }) => name === 'Error Received'),
    );
    expectStatus(await authorize(organization, entry.source.appId), 200);
    const destination = `${organization.path}/destinations/${entry.destination.id}`;
    const { password } = warehouse.settings;
    expectStatus(await organization.call.patch(destination, { credentials: { password }, version: 1 }), 200);
    expectStatus(await organization.call.delete(connection.path), 204);
    expectStatus(await organization.call.delete(connection.path), 404);
    expectStatus(await organization.call.delete(`${organization.path}/sources/${entry.source.id}`), 204);
    expectStatus(await organization.call.delete(destination), 204);

    const events = await eventually(
      () => eventsOf(uid),
      (found) => found.some(({ name }) => name === 'Destination Deleted'),
    );
    const ends = { source: 'google_ads', destination: 'postgresql' };
    const sent = Object.fromEntries(events.map(({ name, data }) => [name, data]));
    expect(sent).toEqual({
      'Account Created': { user_id: uid },
      'Organization Created': company,
      'Source Created': { ...company, type: 'google_ads' },
      'Destination Created': { ...company, type: 'postgresql' },
      'Connection Created': { ...company, ...ends },
      'Error Received': { ...company, ...ends, type: 'auth', error_message: expect.any(String) },
      'Source Reauthenticated': { ...company, type: 'google_ads' },
      'Destination Reauthenticated': { ...company, type: 'postgresql' },
      'Connection Deleted': { ...company, ...ends },
      'Source Deleted': { ...company, type: 'google_ads' },
      'Destination Deleted': { ...company, type: 'postgresql' },
    });
    expect(events).toHaveLength(Object.keys(sent).length);
    const joining = { company_id: organization.id, user_id: joined.user.uid };
    expect((await eventsOf(joined.user.uid)).find(({ name }) => name === 'Organization Joined')?.data).toEqual(joining);
    const nowSeconds = Date.now() / 1_000;
    for (const { timestamp } of events) expect(Math.abs(nowSeconds - (timestamp ?? 0))).toBeLessThan(120);
  });
});

describe('without Customer.io keys', () => {
  it('nothing is queued', async () => {
    const off = await startTestApp({ CUSTOMER_IO_SITE_ID: '', CUSTOMER_IO_API_KEY: '' });
    try {
      const owner = await aUser(off);
      const organization = await anOrganization(off, owner);
      expectStatus(await organization.call.post('/api/customerio/identify', { userId: owner.uid }), 200);
      const tracked = { userId: owner.uid, eventName: 'Source Created', properties: { company_id: organization.id } };
      expectStatus(await organization.call.post('/api/customerio/track', tracked), 200);
      const body = { userId: owner.uid, organizationId: organization.id };
      expectStatus(await organization.call.post('/api/identifyUserWithOrganization', body), 200);
      expect(await off.database.query(`select 1 from outbox_messages where kind = 'analytics'`)).toEqual([]);
    } finally {
      await off.stop();
    }
  });
});

describe('the id of an event', () => {
  it('is the id of the outbox row as a ULID', () => {
    expect(ulidOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    expect(ulidOf('0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10')).toBe('01JBRC2YJYFGX9Y7JVHXN2TK0G');
    expect(ulidOf(randomUUID())).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const [earlier, later] = [v7({ msecs: 1_700_000_000_000 }), v7({ msecs: 1_700_000_000_001 })];
    expect(ulidOf(earlier) < ulidOf(later)).toBe(true);
  });
});

it('does not follow a redirect, so that personal data is not sent to another host', async () => {
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  let requests = 0;
  const front = createServer((_, response) => {
    requests += 1;
    response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end();
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const redirected = await startTestApp({
    ROLE: 'all',
    CUSTOMER_IO_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/v1`,
  });
  await aUser(redirected);
  await eventually(
    () => Promise.resolve(requests),
    (count) => count > 0,
  );
  await redirected.stop();
  for (const server of [front, other]) {
    server.closeAllConnections();
    server.close();
  }
  expect(seen).toEqual([]);
});
