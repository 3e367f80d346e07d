import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import { tokenFor } from '../../test/http.js';
import { aMember, aSuperAdmin, outboxOf } from '../../test/teams.js';
import { PurgeDeletedOrganizations, TENANT_TABLES } from './deletion/purge-deleted-organizations.js';

/** The smallest possible PNG. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const LOGO_URL = /^\/api\/v1\/logos\/[0-9a-f-]{36}$/;

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

const trailOf = (organizationId: string, action: string) =>
  app.database.query('select actor_id, actor_kind, target_id from audit_events where organization_id = $1 and action = $2', [
    organizationId,
    action,
  ]);
const versionOf = async (): Promise<number> => (await organization.call.get<{ version: number }>(organization.path)).body.version;

describe('POST /api/createOrganization', () => {
  it('rejects the uid of another user', async () => {
    const { body } = expectStatus(
      await organization.call.post('/api/createOrganization', { companyName: 'Northwind', userId: 'victim' }),
      403,
    );
    expect(body).toMatchObject({ success: false, code: 'access.not_yours' });
  });

  it.each([
    [
      'an SVG, which can carry scripts',
      `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`,
    ],
    ['an HTML page declared as PNG', `data:image/png;base64,${Buffer.from('<html>').toString('base64')}`],
    [
      'a picture over 200 kB',
      `data:image/png;base64,${Buffer.concat([Buffer.from(PNG.split(',')[1]!, 'base64'), Buffer.alloc(200_000)]).toString('base64')}`,
    ],
    ['a URL of another host', 'https://tracker.example.com/pixel.png'],
    ['a script', 'javascript:alert(1)'],
  ])('rejects %s as a logo', async (_, logo) => {
    const { body } = expectStatus(
      await organization.call.post('/api/createOrganization', { companyName: 'Northwind', company_logo: logo }),
      400,
    );
    expect(body['errors']).toEqual([expect.objectContaining({ field: 'company_logo' })]);
  });

  it('returns its id with the specified message', async () => {
    const { body } = expectStatus(await organization.call.post('/api/createOrganization', { companyName: 'Contoso' }), 200);
    const organizationId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({ success: true, message: 'Organization created successfully', organizationId });
  });

  it('makes it the default instead of an earlier one, for its creator only', async () => {
    const admin = await aMember(app, organization, 'admin');
    const create = async (companyName: string, isDefault: boolean, call = organization.call) =>
      expectStatus(await call.post('/api/createOrganization', { companyName, isDefault }), 200);
    const names = async (call = organization.call) =>
      (await call.get<{ organizations: { companyName: string }[] }>('/api/getOrganizationIds')).body.organizations.map(
        ({ companyName }) => companyName,
      );
    await create('Zebra', true, admin.call);
    await create('Mail order', true);
    await create('Zeta', true);
    expect(await names()).toEqual(['Zeta', 'Mail order', 'Northwind']);
    await create('Aviary', false);
    expect(await names()).toEqual(['Zeta', 'Aviary', 'Mail order', 'Northwind']);
    expect(await names(admin.call)).toEqual(['Zebra', 'Northwind']);
  });

  it('makes the caller its owner and raises Organization Created once', async () => {
    expect(await outboxOf(app, organization.id, 'Organization Created')).toHaveLength(1);
    expect((await organization.call.get(organization.path)).body).toMatchObject({ role: 'owner', isVisit: false });
    expect(await trailOf(organization.id, 'organization.created')).toHaveLength(1);
  });
});

describe('GET /api/getOrganizationIds', () => {
  const list = (call: Organization['call'], query: string) =>
    call.get<{ organizations: { organizationId: string }[] }>(`/api/getOrganizationIds?${query}`);

  it('rejects the uid of another user', async () => {
    expectStatus(await list(organization.call, 'userId=victim&superadmin=false'), 403);
  });

  it('ignores the flag unless the user is super_admin in the database', async () => {
    await anOrganization(app);
    const { body } = expectStatus(await list(organization.call, `userId=${organization.owner.uid}&superadmin=true`), 200);
    expect(body.organizations.map(({ organizationId }) => organizationId)).toEqual([organization.id]);
    expect(body.organizations[0]).toEqual({
      organizationId: organization.id,
      companyName: 'Northwind',
      logo: null,
      connectionsCount: 0,
      role: 'owner',
    });
  });

  it('returns the own organizations of platform staff first', async () => {
    const staff = await aSuperAdmin(app);
    const call = app.http.as(staff);
    const own = await anOrganization(app, staff);
    const { body } = await list(call, 'superadmin=true');
    expect(body.organizations[0]).toMatchObject({ organizationId: own.id, role: 'owner' });
  });

  it('returns all organizations to platform staff who request them, and audits it', async () => {
    const staff = await aSuperAdmin(app);
    const call = app.http.as(staff);
    expect((await list(call, 'superadmin=false')).body.organizations).toEqual([]);
    const { body } = await list(call, 'superadmin=true');
    expect(body.organizations).toContainEqual(expect.objectContaining({ organizationId: organization.id, role: null }));
    const trail = await app.database.query('select action, actor_kind from audit_events where actor_id = $1', [staff.uid]);
    expect(trail).toEqual([{ action: 'super_admin.read', actor_kind: 'super_admin' }]);
  });
});

describe('platform staff in an organization where they are not members', () => {
  it('can read, and every read is audited', async () => {
    const staff = await aSuperAdmin(app);
    const call = app.http.as(staff);
    expect(expectStatus(await call.get(organization.path), 200).body).toMatchObject({ role: 'viewer', isVisit: true });
    expectStatus(await call.get(`/api/getOrganizationData?documentId=${organization.id}&type=organization`), 200);
    const kept = { actor_id: staff.uid, actor_kind: 'super_admin', target_id: 'organization.read' };
    expect(await trailOf(organization.id, 'super_admin.read')).toEqual([kept, kept]);
  });

  it('cannot change anything', async () => {
    const call = app.http.as(await aSuperAdmin(app));
    expectStatus(await call.patch(organization.path, { name: 'Taken', version: 1 }), 404);
    expectStatus(await call.post(`${organization.path}/members/leave`), 404);
    expectStatus(await call.post('/api/sendInvitation', { email: 'x@example.com', organization_id: organization.id }), 404);
    expectStatus(await call.delete(`${organization.path}?confirmName=Northwind`), 404);
  });
});

describe('GET /api/getOrganizationData', () => {
  it('returns 404 for another organization and records it in the audit trail', async () => {
    const other = await anOrganization(app);
    const read = (id: string) => other.call.get(`/api/getOrganizationData?documentId=${id}&type=organization`);
    const foreign = expectStatus(await read(organization.id), 404).body;
    const missing = expectStatus(await read('00000000-0000-7000-8000-000000000000'), 404).body;
    expect(foreign).toEqual({ data: null, status: 'not_found' });
    expect(missing).toEqual(foreign);
    expect(await trailOf(organization.id, 'access.refused')).toHaveLength(1);
  });

  it('returns the organization with the specified field names', async () => {
    expectStatus(await organization.call.patch(organization.path, { logo: PNG, version: await versionOf() }), 200);
    const { body } = expectStatus(
      await organization.call.get(`/api/getOrganizationData?documentId=${organization.id}&type=organization`),
      200,
    );
    const fields = {
      organization_id: organization.id,
      company_name: 'Northwind',
      company_logo: expect.stringMatching(LOGO_URL),
      connections_count: 0,
      subscription: expect.any(Object),
    };
    expect(body).toMatchObject({ data: fields, status: 'success' });
  });

  it('never returns a secret', async () => {
    const key = '01890000-0000-7000-8000-0000000000aa';
    await app.database.query(
      `insert into apps (id, organization_id, provider, display_name, auth_mode, credentials, created_by, updated_at)
       values ($1, $2, 'google_ads', 'Search', 'oauth2', 'sealed-credentials', 'x', now())`,
      [key, organization.id],
    );
    const { body } = expectStatus(
      await organization.call.get(`/api/getOrganizationData?documentId=${organization.id}&type=app&key=${key}`),
      200,
    );
    expect(body).toMatchObject({ data: { id: key, name: 'Search' } });
    expect(JSON.stringify(body)).not.toContain('sealed-credentials');
  });

  it.each(['conversion', 'payment', 'app'])('returns an empty list of type %s', async (type) => {
    const { body } = expectStatus(
      await organization.call.get(`/api/getOrganizationData?documentId=${organization.id}&type=${type}`),
      200,
    );
    expect(body).toEqual({ data: [], status: 'success' });
  });
});

describe('GET /api/delete', () => {
  const appOf = async (): Promise<string> =>
    (await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'google_ads' })).body.id;
  const pathOf = (key: string, organizationId = organization.id): string =>
    `/api/delete?documentId=${organizationId}&type=app&key=${key}`;
  const authorization = (): string => `Bearer ${tokenFor(organization.owner)}`;
  const isThere = async (key: string): Promise<boolean> =>
    (await organization.call.get(`${organization.path}/apps/${key}`)).status === 200;

  it.each([
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
  ])('rejects a browser that opens, embeds or prefetches the address: %j', async (headers) => {
    const key = await appOf();
    const caller = app.http.withHeaders({ ...headers, authorization: authorization() } as unknown as Record<string, string>);
    const answer = expectStatus(await caller.get(pathOf(key)), 403);
    expect(answer.body['code']).toBe('access.navigation');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await isThere(key)).toBe(true);
  });

  it('rejects HEAD', async () => {
    const key = await appOf();
    const answer = await fetch(app.url + pathOf(key), { method: 'HEAD', headers: { authorization: authorization() } });
    expect(answer.status).toBe(403);
    expect(await isThere(key)).toBe(true);
  });

  it('requires a bearer token and the permission of the type', async () => {
    const key = await appOf();
    const editor = await aMember(app, organization, 'editor');
    expectStatus(await app.http.withHeaders({ cookie: `session=${tokenFor(organization.owner)}` }).get(pathOf(key)), 401);
    expectStatus(await editor.call.get(pathOf(key)), 403);
    const other = await anOrganization(app);
    expectStatus(await other.call.get(pathOf(key)), 404);
    expectStatus(await other.call.get(pathOf(key, other.id)), 404);
    expect(await isThere(key)).toBe(true);
  });

  it('soft-deletes and returns the successor route', async () => {
    const key = await appOf();
    const answer = expectStatus(await organization.call.get(pathOf(key)), 200);
    expect(answer.body).toEqual({ success: true, message: 'The app was deleted' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(answer.headers.get('link')).toBe(`<${organization.path}/apps/${key}>; rel="successor-version"`);
    expect(await isThere(key)).toBe(false);
    const rows = await app.database.query('select deleted_at is not null as "isSoft" from apps where id = $1', [key]);
    expect(rows).toEqual([{ isSoft: true }]);
  });

  it('rejects the type subscription, which is cancelled at Stripe', async () => {
    const key = '01977f2e-0000-7000-8000-000000000000';
    const answer = await organization.call.get(`/api/delete?documentId=${organization.id}&type=subscription&key=${key}`);
    expect(expectStatus(answer, 400).body['errors']).toMatchObject([{ field: 'type' }]);
  });

  it.each(['conversion', 'payment'])('returns 404 for the type %s', async (type) => {
    const key = '00000000-0000-7000-8000-000000000000';
    expectStatus(await organization.call.get(`/api/delete?documentId=${organization.id}&type=${type}&key=${key}`), 404);
  });
});

describe('settings of an organization', () => {
  it('reject an outdated version', async () => {
    const version = await versionOf();
    expectStatus(await organization.call.patch(organization.path, { name: 'First', version }), 200);
    const { body } = expectStatus(await organization.call.patch(organization.path, { name: 'Second', version }), 409);
    expect(body['code']).toBe('conflict.version');
  });

  it.each([
    ['currency', 'GOLD'],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+05:30'],
    ['name', '  '],
    ['logo', 'https://tracker.example.com/pixel.png'],
  ])('reject an invalid %s', async (field, value) => {
    const { body } = expectStatus(await organization.call.patch(organization.path, { [field]: value, version: 1 }), 400);
    expect(body['errors']).toEqual([expect.objectContaining({ field })]);
  });

  it.each(['XCG', 'ZWG', 'HRK', 'CUC', 'XTS'])(
    'accept the currency %s, which browsers offer or ISO 4217 lists',
    async (currency) => {
      const { body } = expectStatus(
        await organization.call.patch<{ currency: string }>(organization.path, { currency, version: await versionOf() }),
        200,
      );
      expect(body.currency).toBe(currency);
    },
  );

  it.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['us/pacific', 'America/Los_Angeles'],
  ])('store the former name %s of a time zone as %s, which every PostgreSQL knows', async (former, timeZone) => {
    const changes = { timeZone: former, version: await versionOf() };
    expectStatus(await organization.call.patch(organization.path, changes), 200);
    const stored = await app.database.query('select time_zone from organizations where id = $1', [organization.id]);
    expect(stored).toEqual([{ time_zone: timeZone }]);
  });

  it('require an admin', async () => {
    const editor = await aMember(app, organization, 'editor');
    expectStatus(await editor.call.patch(organization.path, { name: 'Taken', version: 1 }), 403);
  });

  it('change only the sent fields, and audit the previous values', async () => {
    const version = await versionOf();
    const changes = { name: 'Contoso', currency: 'EUR', timeZone: 'Europe/Vienna', logo: PNG };
    const { body } = expectStatus(await organization.call.patch(organization.path, { ...changes, version }), 200);
    expect(body).toMatchObject({ ...changes, logo: expect.stringMatching(LOGO_URL), version: version + 1 });
    const next = expectStatus(await organization.call.patch(organization.path, { logo: null, version: version + 1 }), 200);
    expect(next.body).toMatchObject({ name: 'Contoso', logo: null });
    const { body: trail } = await organization.call.get<{ items: Record<string, unknown>[] }>(
      `${organization.path}/audit-events?action=organization.updated`,
    );
    expect(trail.items[1]).toMatchObject({
      before: { name: 'Northwind', currency: 'USD', timeZone: 'UTC' },
      after: { name: 'Contoso', currency: 'EUR', logo: expect.stringMatching(LOGO_URL) },
    });
    expect(Object.keys(trail.items[0]!['after'] as object)).toEqual(['logo']);
  });
});

describe('a deleted organization', () => {
  const remove = (name = 'Northwind') => organization.call.delete(`${organization.path}?confirmName=${encodeURIComponent(name)}`);
  const age = (days: number) =>
    app.database.query('update organizations set deleted_at = now() - make_interval(days => $2) where id = $1', [
      organization.id,
      days,
    ]);

  it('requires the confirmed name and an owner', async () => {
    const admin = await aMember(app, organization, 'admin');
    expect(expectStatus(await remove('northwind'), 422).body['code']).toBe('organization.name_mismatch');
    expectStatus(await admin.call.delete(`${organization.path}?confirmName=Northwind`), 403);
    expectStatus(await organization.call.get(organization.path), 200);
  });

  it('is inaccessible for its members until an owner restores it', async () => {
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await remove(), 204);
    expectStatus(await organization.call.get(organization.path), 404);
    expect((await organization.call.get('/api/getOrganizationIds')).body['organizations']).toEqual([]);
    const { body } = await organization.call.get<{ items: { id: string }[] }>('/api/v1/me/deleted-organizations');
    expect(body.items.map(({ id }) => id)).toEqual([organization.id]);
    expectStatus(await admin.call.post(`${organization.path}/restore`), 404);
    expect(expectStatus(await organization.call.post(`${organization.path}/restore`), 200).body).toMatchObject({ role: 'owner' });
    expectStatus(await admin.call.get(organization.path), 200);
    const again = expectStatus(await organization.call.post(`${organization.path}/restore`), 409);
    expect(again.body['code']).toBe('organization.not_restorable');
  });

  it('cannot be restored after 30 days', async () => {
    expectStatus(await remove(), 204);
    await age(31);
    const { body } = expectStatus(await organization.call.post(`${organization.path}/restore`), 409);
    expect(body['code']).toBe('organization.not_restorable');
    expect((await organization.call.get('/api/v1/me/deleted-organizations')).body).toEqual({ items: [] });
  });

  it('is purged completely after 30 days, without an effect on other organizations', async () => {
    const other = await anOrganization(app);
    await organization.call.post(`${organization.path}/apps`, { provider: 'google_ads' });
    expectStatus(await remove(), 204);
    await age(29);
    await app.get(PurgeDeletedOrganizations).purge();
    expect(await app.database.query('select id from organizations where id = $1', [organization.id])).toHaveLength(1);
    await age(31);
    await app.get(PurgeDeletedOrganizations).purge();
    for (const table of TENANT_TABLES)
      expect(await app.database.query(`select from ${table} where organization_id = $1`, [organization.id])).toEqual([]);
    expect(await app.database.query('select id from organizations where id = $1', [organization.id])).toEqual([]);
    expectStatus(await other.call.get(other.path), 200);
  });

  it('is purged from every tenant table of the database', async () => {
    const tables = await app.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'organization_id' order by 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual([...TENANT_TABLES].sort());
  });
});
