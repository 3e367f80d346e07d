import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jwtVerify } from 'jose';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, aUser, expectStatus } from '../../test/factories.js';
import type { TestUser } from '../../test/http.js';
import { aSuperAdmin } from '../../test/teams.js';
import { Secrets } from '../core/encryption/secrets.js';
import { EVENT_NAMES } from './events.js';

const SECRET = 'messenger-secret-of-the-test';
let app: TestApp;
let me: TestUser;

beforeAll(async () => {
  app = await startTestApp({ INTERCOM_SECRET: SECRET });
  me = await aUser(app);
});
afterAll(() => app?.stop());

const post = (path: string, body: object) => app.http.as(me).post(path, body);

/** The decrypted content of the newest message in the outbox. */
async function lastQueued(): Promise<unknown> {
  const [row] = await app.database.query<{ content: string }>(
    `select content from outbox_messages where kind = 'analytics' order by id desc limit 1`,
  );
  return app.get(Secrets).unwrap('outbox', row!.content);
}

describe('POST /api/getIntercomHash', () => {
  it('never returns a proof for another user', async () => {
    const victim = await aUser(app);
    const { body } = expectStatus(await post('/api/getIntercomHash', { userId: victim.uid }), 403);
    expect(body).toMatchObject({ success: false, code: 'access.not_yours' });
    expect(JSON.stringify(body)).not.toContain(createHmac('sha256', SECRET).update(victim.uid).digest('hex'));
  });

  it('returns a proof of the caller as hash and as JWT', async () => {
    const { body } = expectStatus(await post('/api/getIntercomHash', { userId: me.uid }), 200);
    expect(body['userHash']).toBe(createHmac('sha256', SECRET).update(me.uid).digest('hex'));
    const { payload } = await jwtVerify(String(body['userJwt']), new TextEncoder().encode(SECRET));
    expect(payload).toMatchObject({ user_id: me.uid, email: me.email });
    expect(payload.exp! - payload.iat!).toBe(3_600);
  });
});

describe('POST /api/customerio/identify', () => {
  it('rejects another user id and invalid traits', async () => {
    expectStatus(await post('/api/customerio/identify', { userId: 'victim', traits: {} }), 403);
    for (const traits of [{ nested: { deep: 1 } }, { long: 'x'.repeat(1_001) }, [1], { list: [] }]) {
      expectStatus(await post('/api/customerio/identify', { userId: me.uid, traits }), 400);
    }
  });

  it('queues the traits with the caller’s own e-mail and ignores an e-mail in the traits', async () => {
    const traits = { plan: 'trial', email: 'victim@example.com' };
    const { body } = expectStatus(await post('/api/customerio/identify', { userId: me.uid, traits }), 200);
    expect(body).toEqual({ success: true, message: 'User identified' });
    expect(await lastQueued()).toEqual({ type: 'identify', userId: me.uid, traits: { plan: 'trial', email: me.email } });
  });
});

describe('POST /api/customerio/track', () => {
  const track = (body: object) => post('/api/customerio/track', body);

  it('accepts the 13 product events and rejects others', async () => {
    expect(EVENT_NAMES).toHaveLength(13);
    const { body } = expectStatus(await track({ userId: me.uid, eventName: 'Free Money', properties: {} }), 400);
    expect(body['errors']).toEqual([expect.objectContaining({ field: 'eventName' })]);
  });

  it('rejects another user id, another organization and unknown properties', async () => {
    const other = await anOrganization(app);
    const eventName = 'Source Created';
    expectStatus(await track({ userId: 'victim', eventName }), 403);
    expectStatus(await track({ eventName, properties: { user_id: 'victim' } }), 403);
    expectStatus(await track({ eventName, properties: { company_id: other.id } }), 404);
    const { body } = expectStatus(await track({ eventName, properties: { revenue: '1' } }), 400);
    expect(body['errors']).toEqual([expect.objectContaining({ field: 'properties.revenue' })]);
  });

  it('queues the event with the caller and the organization', async () => {
    const { id } = await anOrganization(app, me);
    const properties = { company_id: id, type: 'google_ads' };
    const { body } = expectStatus(await track({ userId: me.uid, eventName: 'Source Created', properties }), 200);
    expect(body).toEqual({ success: true, message: 'Event tracked' });
    expect(await lastQueued()).toMatchObject({
      type: 'track',
      userId: me.uid,
      event: 'Source Created',
      properties: { company_id: id, user_id: me.uid, type: 'google_ads' },
    });
  });
});

describe('POST /api/identifyUserWithOrganization', () => {
  it('rejects users who are not members, including platform staff', async () => {
    const other = await anOrganization(app);
    const staff = await aSuperAdmin(app);
    expectStatus(await post('/api/identifyUserWithOrganization', { userId: me.uid, organizationId: other.id }), 404);
    expectStatus(
      await app.http.as(staff).post('/api/identifyUserWithOrganization', { userId: staff.uid, organizationId: other.id }),
      404,
    );
  });

  it('queues the caller’s membership', async () => {
    const { id } = await anOrganization(app, me);
    const { body } = expectStatus(await post('/api/identifyUserWithOrganization', { userId: me.uid, organizationId: id }), 200);
    expect(body).toMatchObject({ success: true });
    expect(await lastQueued()).toMatchObject({ type: 'identify', userId: me.uid, traits: { company_id: id } });
  });
});
