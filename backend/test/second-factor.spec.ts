import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.js';
import { anOrganization, aUser, expectStatus, type Organization } from './factories.js';
import type { Caller, TestUser } from './http.js';
import { aMember } from './teams.js';

const REFUSED = { code: 'auth.second_factor_required', action: 'Set up two-step sign-in, then sign in with it' };

let app: TestApp;
let owner: TestUser;
let organization: Organization;
/** The owner, signed in with a code of an authenticator app. */
let secured: Caller;

beforeAll(async () => {
  app = await startTestApp();
  owner = await aUser(app);
  organization = await anOrganization(app, owner);
  secured = app.http.as({ ...owner, hasSecondFactor: true });
});
afterAll(() => app?.stop());

const securityOf = ({ path }: Organization): string => `${path}/security`;
const require = (call: Caller, of = organization, requireSecondFactor = true) =>
  call.patch(securityOf(of), { requireSecondFactor });

describe('an organization that requires two-step sign-in', () => {
  it('cannot be set to require it by a user who would lose access', async () => {
    const { body } = expectStatus(await require(organization.call), 403);
    expect(body).toMatchObject({ ...REFUSED, detail: expect.stringContaining('You would lose access') });
    expect((await organization.call.get(organization.path)).body).toMatchObject({ requireSecondFactor: false });
  });

  it('can be set to require it only by an owner, not by an admin or an API key', async () => {
    const other = await anOrganization(app);
    const { user } = await aMember(app, other, 'admin');
    const admin = app.http.as({ ...user, hasSecondFactor: true });
    expect(expectStatus(await require(admin, other), 403).body['code']).toBe('access.role_too_low');
    const key = expectStatus(await other.call.post<{ key: string }>(`${other.path}/api-keys`, { name: 'k', role: 'admin' }), 201);
    const program = app.http.withHeaders({ authorization: `Bearer ${key.body.key}` });
    expect(expectStatus(await require(program, other), 403).body['code']).toBe('access.person_needed');
  });

  it('rejects only owners and admins without a second factor', async () => {
    const of = await anOrganization(app, owner);
    const [admin, editor, viewer] = await Promise.all(['admin', 'editor', 'viewer'].map((role) => aMember(app, of, role)));
    const key = expectStatus(await of.call.post<{ key: string }>(`${of.path}/api-keys`, { name: 'k', role: 'admin' }), 201);
    const program = app.http.withHeaders({ authorization: `Bearer ${key.body.key}` });
    expect(expectStatus(await require(secured, of), 200).body).toMatchObject({ requireSecondFactor: true });

    const reads = [of.path, `${of.path}/members`, `${of.path}/connections`, `${of.path}/audit-events`];
    for (const call of [of.call, admin!.call])
      for (const path of reads) expect(expectStatus(await call.get(path), 403).body).toMatchObject(REFUSED);
    const document = `/api/getOrganizationData?documentId=${of.id}&type=organization`;
    expect(expectStatus(await of.call.get(document), 403).body).toMatchObject(REFUSED);
    expectStatus(await of.call.post('/api/getTeamMembers', { organizationId: of.id }), 403);
    expectStatus(await of.call.post(`${of.path}/members/leave`), 403);

    expectStatus(await secured.get(of.path), 200);
    expectStatus(await secured.get(document), 200);
    expectStatus(await app.http.as({ ...admin!.user, hasSecondFactor: true }).get(of.path), 200);
    for (const call of [editor!.call, viewer!.call, program]) expectStatus(await call.get(of.path), 200);
    expectStatus(await editor!.call.get(document), 200);
  });

  it('still requires it after a deletion and restore', async () => {
    const of = await anOrganization(app, owner);
    expectStatus(await require(secured, of), 200);
    expectStatus(await secured.delete(`${of.path}?confirmName=Northwind`), 204);
    expect(expectStatus(await of.call.post(`${of.path}/restore`), 403).body).toMatchObject(REFUSED);
    expectStatus(await secured.post(`${of.path}/restore`), 200);
  });

  it('records who changed the setting, and shows it only to members', async () => {
    const of = await anOrganization(app, owner);
    expectStatus(await require(secured, of), 200);
    expectStatus(await require(secured, of), 200);
    expectStatus(await require(secured, of, false), 200);
    const { body } = await secured.get<{ items: object[] }>(`${of.path}/audit-events?action=organization.security_changed`);
    expect(body.items).toMatchObject([
      { actorEmail: owner.email, before: { requireSecondFactor: true }, after: { requireSecondFactor: false } },
      { actorEmail: owner.email, before: { requireSecondFactor: false }, after: { requireSecondFactor: true } },
    ]);
    expectStatus(await of.call.get(of.path), 200);
    const outsider = app.http.as(await aUser(app));
    expect(expectStatus(await outsider.get(of.path), 404).body['code']).toBe('not_found');
  });
});

it('a change of the requirement is rejected if another one came first', async () => {
  const of = await anOrganization(app);
  const call = app.http.as({ ...of.owner, hasSecondFactor: true });
  const { version } = expectStatus(await call.get<{ version: number }>(of.path), 200).body;
  const set = (requireSecondFactor: boolean) => call.patch(securityOf(of), { requireSecondFactor, version });
  expect(expectStatus(await set(true), 200).body).toMatchObject({ requireSecondFactor: true, version: version + 1 });
  expect(expectStatus(await set(false), 409).body).toMatchObject({ code: 'conflict.version', action: 'Reload and try again' });
  expect((await call.get(of.path)).body).toMatchObject({ requireSecondFactor: true });
});

it('reports whether this sign-in had a second factor', async () => {
  expect((await app.http.as(owner).get('/api/v1/me')).body).toMatchObject({ hasSecondFactor: false });
  expect((await secured.get('/api/v1/me')).body).toMatchObject({ hasSecondFactor: true });
});
