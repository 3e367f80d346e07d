import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import type { Answer, Caller } from '../../../test/http.js';
import { aMember, type Member } from '../../../test/teams.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

interface Created {
  key: string;
  apiKey: { id: string; prefix: string; expiresAt: string };
}
const create = async (by: Caller = organization.call, more: object = {}): Promise<Created> =>
  expectStatus(await by.post<Created>(`${organization.path}/api-keys`, { name: 'Warehouse job', role: 'admin', ...more }), 201)
    .body;
const by = ({ key }: Created): Caller => app.http.withHeaders({ authorization: `Bearer ${key}` });

describe('an API key', () => {
  it('cannot be created by roles below admin or another key, with the role owner or with an expiry in the past', async () => {
    const editor = await aMember(app, organization, 'editor');
    const body = { name: 'Job', role: 'viewer' };
    expectStatus(await editor.call.post(`${organization.path}/api-keys`, body), 403);
    expect(expectStatus(await by(await create()).post(`${organization.path}/api-keys`, body), 403).body['code']).toBe(
      'access.person_needed',
    );
    expectStatus(await organization.call.post(`${organization.path}/api-keys`, { ...body, role: 'owner' }), 400);
    expectStatus(
      await organization.call.post(`${organization.path}/api-keys`, { ...body, expiresAt: '2020-01-01T00:00:00Z' }),
      400,
    );
  });

  it('is shown once and stored as a hash', async () => {
    const created = await create();
    expect(created.key).toMatch(/^trb_[\w-]{43}$/);
    const { body } = await organization.call.get(`${organization.path}/api-keys`);
    expect(JSON.stringify(body)).not.toContain(created.key);
    expect(body['items']).toEqual([expect.objectContaining({ prefix: created.key.slice(0, 12), role: 'admin' })]);
    const rows = await app.database.query('select k::text from api_keys k');
    expect(JSON.stringify(rows)).not.toContain(created.key);
  });

  it('has access to its organization only, and not to its creator’s account', async () => {
    const created = await create();
    const other = await anOrganization(app, organization.owner);
    expectStatus(await by(created).get(`${organization.path}/connections`), 200);
    expectStatus(await by(created).get(`${other.path}/connections`), 404);
    expectStatus(await by(created).get('/api/v1/me'), 403);
    expectStatus(await by(created).post(`${organization.path}/members/leave`), 403);
    const { body } = expectStatus(await by(created).get('/api/getOrganizationIds'), 401);
    expect(body['detail']).toBe('API keys are accepted below /api/v1/ only.');
    expectStatus(await by(created).post('/api/getTeamMembers', { organizationId: organization.id }), 401);
  });

  it('has only the permissions of its role', async () => {
    const viewer = await create(organization.call, { role: 'viewer' });
    expectStatus(await by(viewer).get(`${organization.path}/members`), 200);
    expectStatus(await by(viewer).post(`${organization.path}/apps`, { provider: 'google_ads' }), 403);
    expectStatus(await by(await create()).post(`${organization.path}/transfer`, { userId: organization.owner.uid }), 403);
  });

  it('reads that its own role is too low, not that of a person', async () => {
    const viewer = await create(organization.call, { role: 'viewer' });
    const answer = await by(viewer).post(`${organization.path}/sources`);
    expect(expectStatus(answer, 403).body).toMatchObject({
      code: 'access.role_too_low',
      detail: 'The role of this API key is viewer, but this requires editor or higher. Use a key with that role.',
    });
  });

  it('never has more permissions than its creator currently has', async () => {
    const admin = await aMember(app, organization, 'admin');
    const created = await create(admin.call);
    expectStatus(await by(created).post(`${organization.path}/apps`, { provider: 'google_ads' }), 201);
    expectStatus(await organization.call.patch(`${organization.path}/members/${admin.user.uid}`, { role: 'viewer' }), 200);
    expectStatus(await by(created).post(`${organization.path}/apps`, { provider: 'google_ads' }), 401);
  });

  it('cannot be created beyond 100 that are not revoked, also by concurrent requests', async () => {
    await app.database.query(
      `insert into api_keys (id, organization_id, name, prefix, key_hash, role, created_by, expires_at)
       select gen_random_uuid(), $1, 'Job', 'trb_', gen_random_uuid()::text, 'viewer', $2, now() + interval '1 year'
         from generate_series(1, 98)`,
      [organization.id, organization.owner.uid],
    );
    const attempt = () => organization.call.post(`${organization.path}/api-keys`, { name: 'Job', role: 'viewer' });
    const answers = await Promise.all(Array.from({ length: 6 }, attempt));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    const rejected = answers.filter(({ status }) => status === 409);
    expect(rejected.map(({ body }) => body)).toEqual(
      Array.from({ length: 4 }, () =>
        expect.objectContaining({ code: 'api_key.limit_reached', action: 'Revoke an API key that is no longer used' }),
      ),
    );
    const { items } = (await organization.call.get<{ items: { id: string }[] }>(`${organization.path}/api-keys`)).body;
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${items[0]?.id}`), 204);
    expectStatus(await attempt(), 201);
  });

  it('is rejected after it is revoked', async () => {
    const { apiKey, key } = await create();
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${apiKey.id}`), 204);
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${apiKey.id}`), 404);
    expect(expectStatus(await by({ apiKey, key }).get(organization.path), 401).body['code']).toBe('auth.invalid');
  });

  it('records its name in the audit trail and its last use', async () => {
    const created = await create();
    expectStatus(await by(created).post(`${organization.path}/apps`, { provider: 'google_ads' }), 201);
    const { body } = await organization.call.get<{ items: object[] }>(`${organization.path}/audit-events?action=app.created`);
    expect(body.items[0]).toMatchObject({ actorKind: 'api_key', apiKeyName: 'Warehouse job', role: 'admin' });
    await eventually(
      async () => (await organization.call.get<{ items: { lastUsedAt: string | null }[] }>(`${organization.path}/api-keys`)).body,
      ({ items }) => items[0]?.lastUsedAt != null,
    );
  });
});

describe('an API key can', () => {
  it('read the catalog, which names the settings of sources and destinations', async () => {
    const { body } = await by(await create()).get<{ connectors: { provider: string }[] }>('/api/v1/catalog');
    expect(body.connectors.map(({ provider }) => provider)).toContain('postgresql');
  });
});

describe('an API key cannot', () => {
  let key: Caller;
  let viewer: Member;
  beforeEach(async () => {
    viewer = await aMember(app, organization, 'viewer');
    key = by(await create());
  });
  const rejected = async (call: Promise<Answer>): Promise<void> =>
    expect(await call).toMatchObject({ status: 403, body: { code: 'access.person_needed' } });
  const inviteAs = (role: string, caller = organization.call) =>
    caller.post<{ id: string }>(`${organization.path}/invitations`, { email: `${role}@example.com`, role });

  it('change or remove members, nor transfer the organization', async () => {
    await rejected(key.patch(`${organization.path}/members/${viewer.user.uid}`, { role: 'editor' }));
    await rejected(key.delete(`${organization.path}/members/${viewer.user.uid}`));
    await rejected(key.post(`${organization.path}/members/leave`));
    await rejected(key.post(`${organization.path}/transfer`, { userId: viewer.user.uid }));
    expectStatus(await viewer.call.get(organization.path), 200);
  });

  it('create or revoke keys', async () => {
    const { apiKey } = await create();
    await rejected(key.post(`${organization.path}/api-keys`, { name: 'Another', role: 'viewer' }));
    await rejected(key.delete(`${organization.path}/api-keys/${apiKey.id}`));
  });

  it('invite above editor, or resend or revoke such an invitation', async () => {
    for (const role of ['admin', 'owner']) {
      await rejected(inviteAs(role, key));
      const { id } = expectStatus(await inviteAs(role), 201).body;
      await rejected(key.post(`${organization.path}/invitations/${id}/resend`));
      await rejected(key.post(`${organization.path}/invitations/${id}/revoke`));
    }
    for (const role of ['editor', 'viewer']) {
      const { id } = expectStatus(await inviteAs(role, key), 201).body;
      expectStatus(await key.post(`${organization.path}/invitations/${id}/resend`), 200);
      expectStatus(await key.post(`${organization.path}/invitations/${id}/revoke`), 200);
    }
  });

  it('do what requires a person according to the public policy', async () => {
    const { body } = await key.get<{ permissions: { name: string; takesPerson: boolean }[] }>('/api/v1/policy');
    expect(body.permissions.filter(({ takesPerson }) => takesPerson).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['members.write', 'members.leave', 'organization.transfer', 'apiKeys.write']),
    );
  });
});

describe('the expiry of an API key', () => {
  const daysUntil = (at: string): number => Math.round((Date.parse(at) - Date.now()) / DAY_MS);
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  const list = async () =>
    (await organization.call.get<{ items: { id: string; state: string; expiresAt: string }[] }>(`${organization.path}/api-keys`))
      .body.items;

  it('is one year by default and two years at most; "never" is rejected', async () => {
    expect(daysUntil((await create()).apiKey.expiresAt)).toBe(365);
    expect(daysUntil((await create(organization.call, { expiresAt: inDays(729) })).apiKey.expiresAt)).toBe(729);
    for (const expiresAt of [inDays(732), inDays(-1), null]) {
      const answer = await organization.call.post(`${organization.path}/api-keys`, { name: 'Job', role: 'viewer', expiresAt });
      expect(expectStatus(answer, 400).body['errors']).toEqual([expect.objectContaining({ field: 'expiresAt' })]);
    }
  });

  it('is reported only to a caller with the valid key', async () => {
    const created = await create();
    await app.database.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [created.apiKey.id]);
    const { body } = expectStatus(await by(created).get(organization.path), 401);
    expect(body).toMatchObject({ code: 'auth.key_expired', detail: expect.stringContaining('expired') });
    const other = app.http.withHeaders({ authorization: `Bearer ${created.key.slice(0, -1)}x` });
    expect((await other.get(organization.path)).body['code']).toBe('auth.invalid');
    await organization.call.delete(`${organization.path}/api-keys/${created.apiKey.id}`);
    expect((await by(created).get(organization.path)).body['code']).toBe('auth.invalid');
  });

  it('is shown in the list as a state', async () => {
    const [active, expiring, expired] = [
      await create(),
      await create(organization.call, { expiresAt: inDays(12) }),
      await create(),
    ];
    await app.database.query(`update api_keys set expires_at = now() where id = $1`, [expired.apiKey.id]);
    const states = new Map((await list()).map(({ id, state }) => [id, state]));
    expect([active, expiring, expired].map(({ apiKey }) => states.get(apiKey.id))).toEqual(['active', 'expiring', 'expired']);
  });
});
