import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, aUser, eventually, expectStatus, type Organization } from '../../test/factories.js';
import type { Answer, Caller, TestUser } from '../../test/http.js';
import { consentAt, shareLink, show, useLink } from '../../test/sign-in.js';
import { aMember, type Member } from '../../test/teams.js';
import { Database } from '../core/database/database.js';
import { RevokeAccess } from './revoke-access.service.js';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;
let appId: string;
let admin: Member;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(app);
  appId = await aConnectedApp(organization);
  admin = await aMember(app, organization, 'admin');
});

const appPath = () => `${organization.path}/apps/${appId}`;
const memberPath = ({ uid }: TestUser) => `${organization.path}/members/${uid}`;
const remove = ({ user }: Member) => organization.call.delete(memberPath(user));
const demote = ({ user }: Member, role: string) => organization.call.patch(memberPath(user), { role });
const disable = ({ uid }: TestUser) =>
  app.get(Database).write(async (transaction, query) => {
    await query('update users set disabled_at = now() where uid = $1', [uid]);
    await app.get(RevokeAccess).revokeEverywhere({ transaction, query }, uid, null);
  });

async function aKey(by: Caller, role: string): Promise<Caller> {
  const body = { name: `${role} job`, role };
  const { key } = expectStatus(await by.post<{ key: string }>(`${organization.path}/api-keys`, body), 201).body;
  return app.http.withHeaders({ authorization: `Bearer ${key}` });
}
async function invite(by: Caller, role: string): Promise<{ id: string; accept: () => Promise<Answer> }> {
  const invited = await aUser(app);
  const body = { email: invited.email, role };
  const { id } = expectStatus(await by.post<{ id: string }>(`${organization.path}/invitations`, body), 201).body;
  return { id, accept: () => app.http.as(invited).post('/api/acceptInvitation', { invitationId: id }) };
}
const share = (by: Caller): Promise<string> => shareLink(by, appPath());
const statusOf = async (call: Caller): Promise<number> => (await call.get(`${organization.path}/connections`)).status;
const trail = async (): Promise<object[]> =>
  (await organization.call.get<{ items: object[] }>(`${organization.path}/audit-events?action=access.revoked`)).body.items;

/** API keys, invitations and share links, created by an admin. */
async function leftovers() {
  return {
    key: await aKey(admin.call, 'viewer'),
    invitation: await invite(admin.call, 'viewer'),
    link: await share(admin.call),
  };
}
async function expectAllRevoked({ key, invitation, link }: Awaited<ReturnType<typeof leftovers>>): Promise<void> {
  expect((await key.get(`${organization.path}/connections`)).body['code']).toBe('auth.invalid');
  expect((await invitation.accept()).body['code']).toBe('invitation.revoked');
  expect(await show(app, link)).toMatchObject({ status: 410, html: expect.stringContaining('was revoked') });
}

describe('removing a member revokes, in the same transaction,', () => {
  it('the API keys, invitations and share links of the member, with each name in the audit trail', async () => {
    const left = await leftovers();
    expectStatus(await remove(admin), 204);
    await expectAllRevoked(left);
    expect(await trail()).toEqual([
      expect.objectContaining({
        actorEmail: organization.owner.email,
        target: { type: 'member', id: admin.user.uid, name: admin.user.email },
        after: { apiKeys: ['viewer job'], invitations: [expect.stringContaining('@')], shareLinks: [expect.any(String)] },
      }),
    ]);
  });

  it('these permanently: they are not restored when the user is invited again', async () => {
    const left = await leftovers();
    expectStatus(await remove(admin), 204);
    const { body } = expectStatus(
      await organization.call.post<{ id: string }>(`${organization.path}/invitations`, {
        email: admin.user.email,
        role: 'admin',
      }),
      201,
    );
    expectStatus(await admin.call.post('/api/acceptInvitation', { invitationId: body.id }), 200);
    await expectAllRevoked(left);
  });

  it('nothing of other members', async () => {
    const [key, invitation] = [await aKey(organization.call, 'viewer'), await invite(organization.call, 'viewer')];
    const link = await share(organization.call);
    expectStatus(await remove(admin), 204);
    expect(await statusOf(key)).toBe(200);
    expect((await show(app, link)).status).toBe(200);
    expectStatus(await invitation.accept(), 200);
    expect(await trail()).toEqual([]);
  });

  it('nothing when the removal is rejected', async () => {
    const key = await aKey(organization.call, 'viewer');
    expectStatus(await organization.call.post(`${organization.path}/members/leave`), 409);
    expect(await statusOf(key)).toBe(200);
  });
});

it('leaving an organization revokes the same resources', async () => {
  const left = await leftovers();
  expectStatus(await admin.call.post(`${organization.path}/members/leave`), 204);
  await expectAllRevoked(left);
});

it('disabling a user revokes the same resources in every organization, and each audit trail records it', async () => {
  const left = await leftovers();
  const own = await anOrganization(app, admin.user);
  const { body } = await own.call.post<{ key: string }>(`${own.path}/api-keys`, { name: 'Job', role: 'viewer' });
  await disable(admin.user);
  await expectAllRevoked(left);
  expect((await app.http.withHeaders({ authorization: `Bearer ${body.key}` }).get(`${own.path}/connections`)).status).toBe(401);
  expect(await trail()).toEqual([expect.objectContaining({ actorKind: 'system' })]);
  await app.database.query('update users set disabled_at = null where uid = $1', [admin.user.uid]);
  await expectAllRevoked(left);
  expect((await own.call.get<{ items: object[] }>(`${own.path}/audit-events?action=access.revoked`)).body.items).toHaveLength(1);
});

describe('demoting a member', () => {
  it('revokes keys and invitations above the new role, and share links that the new role does not permit', async () => {
    const keys = { above: await aKey(admin.call, 'admin'), within: await aKey(admin.call, 'editor') };
    const invitations = { above: await invite(admin.call, 'admin'), within: await invite(admin.call, 'editor') };
    const link = await share(admin.call);
    expectStatus(await demote(admin, 'editor'), 200);
    expect(await statusOf(keys.above)).toBe(401);
    expect(await statusOf(keys.within)).toBe(200);
    expect((await invitations.above.accept()).body['code']).toBe('invitation.revoked');
    expectStatus(await invitations.within.accept(), 200);
    expect((await show(app, link)).status).toBe(410);
    expect(await trail()).toEqual([
      expect.objectContaining({
        after: { apiKeys: ['admin job'], invitations: [expect.any(String)], shareLinks: [expect.any(String)] },
      }),
    ]);
  });

  it('does so for an owner who transfers the organization', async () => {
    const invitation = await invite(organization.call, 'owner');
    const link = await share(organization.call);
    expectStatus(await organization.call.post(`${organization.path}/transfer`, { userId: admin.user.uid }), 200);
    expect((await invitation.accept()).body['code']).toBe('invitation.revoked');
    expect((await show(app, link)).status).toBe(200);
  });

  it('revokes nothing when the role is raised', async () => {
    const left = await leftovers();
    expectStatus(await demote(admin, 'owner'), 200);
    expect(await statusOf(left.key)).toBe(200);
    expectStatus(await left.invitation.accept(), 200);
  });
});

describe('an invitation whose inviter is being removed', () => {
  it('is rejected under its lock, although the removal revoked nothing', async () => {
    const invitation = await invite(admin.call, 'viewer');
    const accepting = await app.get(Database).write(async (transaction, query) => {
      await query('select from organizations where id = $1 for no key update', [organization.id]);
      const answer = invitation.accept();
      await untilLockWait();
      await query('delete from members where organization_id = $1 and user_id = $2', [organization.id, admin.user.uid]);
      return { answer };
    });
    expect((await accepting.answer).body['code']).toBe('invitation.revoked');
  });

  it('and a concurrent removal complete in either order without an error', async () => {
    for (let race = 0; race < 20; race += 1) {
      const inviter = await aMember(app, organization, 'admin');
      const invitation = await invite(inviter.call, 'viewer');
      const [removed, accepted] = await Promise.all([remove(inviter), invitation.accept()]);
      expect(removed.status).toBe(204);
      expect([200, 409]).toContain(accepted.status);
      expectStatus(await invitation.accept(), accepted.status);
    }
  });

  it('belongs to the member who resent it', async () => {
    const invitation = await invite(admin.call, 'viewer');
    expectStatus(await organization.call.post(`${organization.path}/invitations/${invitation.id}/resend`), 200);
    expectStatus(await remove(admin), 204);
    expectStatus(await invitation.accept(), 200);
  });
});

describe('a request that passed the guard before the removal', () => {
  it.each<[string, (by: Member) => Promise<Answer>]>([
    ['an API key', ({ call }) => call.post(`${organization.path}/api-keys`, { name: 'Late', role: 'viewer' })],
    ['an invitation', ({ call }) => call.post(`${organization.path}/invitations`, { email: 'late@example.com', role: 'viewer' })],
    ['a share link', ({ call }) => call.post(`${appPath()}/share-link`)],
  ])('does not create %s after the removal', async (_what, create) => {
    const late = await app.get(Database).write(async (transaction, query) => {
      await query('select from organizations where id = $1 for no key update', [organization.id]);
      await query('delete from members where organization_id = $1 and user_id = $2', [organization.id, admin.user.uid]);
      const answer = create(admin);
      await untilLockWait();
      return { answer };
    });
    expect((await late.answer).status).toBe(404);
  });
});

describe('a sign-in at a platform that was started before the removal', () => {
  const start = async (by: Caller): Promise<string> =>
    expectStatus(await by.post<{ authorizeUrl: string }>(`${appPath()}/oauth/start`), 200).body.authorizeUrl;
  const complete = async (by: Caller, authorizeUrl: string) => {
    const { searchParams } = new URL(await consentAt(authorizeUrl, 'demo@example.com'), app.url);
    return by.post(`${organization.path}/apps/oauth/complete`, {
      state: searchParams.get('state'),
      code: searchParams.get('code'),
    });
  };

  it('cannot be completed by the removed user, also after they rejoin', async () => {
    const url = await start(admin.call);
    expectStatus(await remove(admin), 204);
    expectStatus(await complete(admin.call, url), 404);
    await app.database.query(`insert into members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      organization.id,
      admin.user.uid,
    ]);
    expect((await complete(admin.call, url)).body['code']).toBe('oauth.state_expired');
  });

  it('cannot be completed when the removal happens while the platform responds', async () => {
    const url = await start(admin.call);
    const completing = await app.get(Database).write(async (transaction, query) => {
      await query('delete from members where organization_id = $1 and user_id = $2', [organization.id, admin.user.uid]);
      const answer = complete(admin.call, url);
      await untilLockWait();
      return { answer };
    });
    expectStatus(await completing.answer, 404);
    const [row] = await app.database.query<{ n: number }>(
      `select count(*)::int as n from app_events where app_id = $1 and event in ('connected', 'reconnected')`,
      [appId],
    );
    expect(row?.n).toBe(1);
  });

  it('cannot be completed by a demoted user', async () => {
    const url = await start(admin.call);
    expectStatus(await demote(admin, 'editor'), 200);
    expectStatus(await complete(admin.call, url), 403);
  });

  it('cannot be completed through a link that the removed user shared', async () => {
    const link = await share(admin.call);
    const started = await show(app, `${link}/start`);
    expectStatus(await remove(admin), 204);
    const landing = await show(app, await consentAt(started.headers.get('location') ?? '', 'demo@example.com'));
    expect((await show(app, landing.headers.get('location') ?? '/none')).status).toBe(410);
    expect((await useLink(app, link, 'demo@example.com')).status).toBe(410);
  });
});

/** Waits until a statement of the product waits for a lock. */
const untilLockWait = () =>
  eventually(
    () => app.database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    (waiting) => waiting.length > 0,
  );
