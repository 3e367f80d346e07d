import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../test/factories.js';
import type { Caller } from '../../test/http.js';
import { aMember } from '../../test/teams.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
}, 60_000);
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

interface Created {
  key: string;
  apiKey: { id: string; prefix: string };
}
const create = async (by: Caller = organization.call, more: object = {}): Promise<Created> =>
  expectStatus(await by.post<Created>(`${organization.path}/api-keys`, { name: 'Warehouse job', role: 'admin', ...more }), 201)
    .body;
const by = ({ key }: Created): Caller => app.http.withHeaders({ authorization: `Bearer ${key}` });

describe('an API key', () => {
  it('is not made by those below admin, nor by another key, nor as an owner, nor for the past', async () => {
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

  it('is shown once and kept as a hash', async () => {
    const created = await create();
    expect(created.key).toMatch(/^trb_[\w-]{43}$/);
    const { body } = await organization.call.get(`${organization.path}/api-keys`);
    expect(JSON.stringify(body)).not.toContain(created.key);
    expect(body['items']).toEqual([expect.objectContaining({ prefix: created.key.slice(0, 12), role: 'admin' })]);
    const rows = await app.database.query('select k::text from api_keys k');
    expect(JSON.stringify(rows)).not.toContain(created.key);
  });

  it('reaches its own organization and no other, and not the person behind it', async () => {
    const created = await create();
    const other = await anOrganization(app, organization.owner);
    expectStatus(await by(created).get(`${organization.path}/connections`), 200);
    expectStatus(await by(created).get(`${other.path}/connections`), 404);
    expectStatus(await by(created).get('/api/v1/me'), 403);
    expectStatus(await by(created).post(`${organization.path}/members/leave`), 403);
    expectStatus(await by(created).get('/api/getOrganizationIds'), 401);
    expectStatus(await by(created).post('/api/getTeamMembers', { organizationId: organization.id }), 401);
  });

  it('does what its role may and no more', async () => {
    const viewer = await create(organization.call, { role: 'viewer' });
    expectStatus(await by(viewer).get(`${organization.path}/members`), 200);
    expectStatus(await by(viewer).post(`${organization.path}/apps`, { provider: 'google_ads' }), 403);
    expectStatus(await by(await create()).post(`${organization.path}/transfer`, { userId: organization.owner.uid }), 403);
  });

  it('never does more than its maker may now, and dies with their membership', async () => {
    const admin = await aMember(app, organization, 'admin');
    const created = await create(admin.call);
    expectStatus(await by(created).post(`${organization.path}/apps`, { provider: 'google_ads' }), 201);
    expectStatus(await organization.call.patch(`${organization.path}/members/${admin.user.uid}`, { role: 'viewer' }), 200);
    expectStatus(await by(created).post(`${organization.path}/apps`, { provider: 'google_ads' }), 403);
    expectStatus(await organization.call.delete(`${organization.path}/members/${admin.user.uid}`), 204);
    expectStatus(await by(created).get(`${organization.path}/connections`), 401);
  });

  it('stops when it is revoked or has run out', async () => {
    const [revoked, expired] = [await create(), await create()];
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${revoked.apiKey.id}`), 204);
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${revoked.apiKey.id}`), 404);
    await app.database.query('update api_keys set expires_at = now() where id = $1', [expired.apiKey.id]);
    for (const key of [revoked, expired]) expectStatus(await by(key).get(organization.path), 401);
  });

  it('leaves its name and its last use', async () => {
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
