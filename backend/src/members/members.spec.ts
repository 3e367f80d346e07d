import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { countOf } from '../../test/counts.js';
import { anOrganization, aUser, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { aMember, type Member, outboxOf } from '../../test/teams.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

const member = (role: string): Promise<Member> => aMember(app, organization, role);
const pathOf = ({ user }: Member): string => `${organization.path}/members/${user.uid}`;
const disable = ({ user }: Member) => app.database.query('update users set disabled_at = now() where uid = $1', [user.uid]);
const rolesOf = async (): Promise<string[]> => {
  const { body } = await organization.call.get<{ items: { role: string }[] }>(`${organization.path}/members`);
  return body.items.map(({ role }) => role).sort();
};

describe('the last owner', () => {
  it('cannot leave', async () => {
    const { body } = expectStatus(await organization.call.post(`${organization.path}/members/leave`), 409);
    expect(body['code']).toBe('member.last_owner');
  });

  it('cannot be removed or demoted, not even by their own request', async () => {
    const path = `${organization.path}/members/${organization.owner.uid}`;
    expect((await organization.call.delete(path)).body['code']).toBe('member.last_owner');
    expect((await organization.call.patch(path, { role: 'admin' })).body['code']).toBe('member.last_owner');
    expect(await rolesOf()).toEqual(['owner']);
  });

  it('is the last one whose account is not disabled', async () => {
    const disabled = await member('owner');
    await disable(disabled);
    const path = `${organization.path}/members/${organization.owner.uid}`;
    expect((await organization.call.post(`${organization.path}/members/leave`)).body['code']).toBe('member.last_owner');
    expect((await organization.call.patch(path, { role: 'admin' })).body['code']).toBe('member.last_owner');
    const transferred = await organization.call.post(`${organization.path}/transfer`, { userId: disabled.user.uid });
    expect(transferred.body['code']).toBe('member.disabled');
    const { body } = await organization.call.get<{ items: object[] }>(`${organization.path}/members`);
    expect(body.items).toContainEqual(expect.objectContaining({ userId: disabled.user.uid, isDisabled: true }));
    expect(await rolesOf()).toEqual(['owner', 'owner']);
    expectStatus(await organization.call.delete(pathOf(disabled)), 204);
    expect((await organization.call.post(`${organization.path}/members/leave`)).body['code']).toBe('member.last_owner');
  });

  it('may demote or remove an owner whose account is disabled', async () => {
    const [first, second] = [await member('owner'), await member('owner')];
    for (const one of [first, second]) await disable(one);
    expectStatus(await organization.call.patch(pathOf(first), { role: 'viewer' }), 200);
    expectStatus(await organization.call.delete(pathOf(second)), 204);
    expect(await rolesOf()).toEqual(['owner', 'viewer']);
  });

  const races = countOf(40, 200);
  it(`remains when two owners leave concurrently, in ${races} organizations`, async () => {
    let left = 0;
    const second = await aUser(app);
    for (let race = 0; race < races; race += 1) {
      const { id, path, call } = await anOrganization(app);
      await app.database.query(`insert into members (organization_id, user_id, role) values ($1, $2, 'owner')`, [id, second.uid]);
      const answers = await Promise.all([call.post(`${path}/members/leave`), app.http.as(second).post(`${path}/members/leave`)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      left += answers.filter(({ status }) => status === 204).length;
    }
    const ownerless = await app.database.query(
      `select id from organizations o where not exists (select from members m where m.organization_id = o.id and m.role = 'owner')`,
    );
    expect(ownerless).toEqual([]);
    expect(left).toBe(races);
  });
});

describe('roles', () => {
  it('an admin cannot remove, demote or create an owner', async () => {
    const admin = await member('admin');
    const owner = `${organization.path}/members/${organization.owner.uid}`;
    const viewer = await member('viewer');
    expect((await admin.call.delete(owner)).status).toBe(403);
    expect((await admin.call.patch(owner, { role: 'viewer' })).status).toBe(403);
    expect((await admin.call.patch(pathOf(viewer), { role: 'owner' })).status).toBe(403);
    expect((await admin.call.patch(pathOf(admin), { role: 'owner' })).status).toBe(403);
    expect((await admin.call.post(`${organization.path}/transfer`, { userId: admin.user.uid })).status).toBe(403);
  });

  it('roles below admin cannot change or remove members', async () => {
    const editor = await member('editor');
    const viewer = await member('viewer');
    expect((await editor.call.patch(pathOf(viewer), { role: 'editor' })).status).toBe(403);
    expect((await editor.call.delete(pathOf(viewer))).status).toBe(403);
    expect((await editor.call.patch(pathOf(editor), { role: 'admin' })).status).toBe(403);
  });

  it('a user without access gets 404 for a member, also through their own organization', async () => {
    const viewer = await member('viewer');
    const other = await anOrganization(app);
    expect((await other.call.get(`${organization.path}/members`)).status).toBe(404);
    expect((await other.call.delete(`${other.path}/members/${viewer.user.uid}`)).status).toBe(404);
    expect((await other.call.post(`${other.path}/transfer`, { userId: viewer.user.uid })).status).toBe(404);
    expect(await rolesOf()).toEqual(['owner', 'viewer']);
  });

  it('a role change is returned, audited and mailed', async () => {
    const viewer = await member('viewer');
    const { body } = expectStatus(await organization.call.patch(pathOf(viewer), { role: 'admin' }), 200);
    expect(body).toMatchObject({ userId: viewer.user.uid, email: viewer.user.email, role: 'admin', isYou: false });
    expect(await outboxOf(app, organization.id, 'role-changed')).toHaveLength(1);
    const { body: trail } = await organization.call.get<{ items: object[] }>(
      `${organization.path}/audit-events?action=member.role_changed`,
    );
    expect(trail.items[0]).toMatchObject({
      before: { role: 'viewer' },
      after: { role: 'admin' },
      target: { id: viewer.user.uid },
    });
  });

  it('a transfer makes the other member the owner and the caller an admin', async () => {
    const editor = await member('editor');
    const { body } = expectStatus(
      await organization.call.post(`${organization.path}/transfer`, { userId: editor.user.uid }),
      200,
    );
    expect(body['role']).toBe('owner');
    expect(await rolesOf()).toEqual(['admin', 'owner']);
    expect((await organization.call.post(`${organization.path}/transfer`, { userId: editor.user.uid })).status).toBe(403);
  });

  it('a transfer to a member whose account is disabled is rejected', async () => {
    const editor = await member('editor');
    await disable(editor);
    const { body } = expectStatus(
      await organization.call.post(`${organization.path}/transfer`, { userId: editor.user.uid }),
      409,
    );
    expect(body).toMatchObject({ code: 'member.disabled', detail: `The account of ${editor.user.email} is disabled.` });
    expect(await rolesOf()).toEqual(['editor', 'owner']);
  });

  it('a removed member loses access immediately', async () => {
    const editor = await member('editor');
    expectStatus(await organization.call.delete(pathOf(editor)), 204);
    expect((await editor.call.get(organization.path)).status).toBe(404);
  });
});

describe('the list of members', () => {
  it('is paginated without repeated or skipped members', async () => {
    await member('viewer');
    await member('editor');
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await organization.call.get<{ items: { userId: string }[]; nextCursor: string | null }>(
        `${organization.path}/members?limit=1${cursor}`,
      );
      seen.push(...body.items.map(({ userId }) => userId));
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
    } while (cursor);
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });

  it('names when a person last used the product, at most an hour late, and not when their API key was used', async () => {
    const [resumed, away] = [await member('editor'), await member('admin')];
    const { body } = await away.call.post<{ key: string }>(`${organization.path}/api-keys`, { name: 'Job', role: 'viewer' });
    const uids = [resumed.user.uid, away.user.uid];
    await app.database.query(`update users set last_seen_at = now() - interval '90 days' where uid = any($1)`, [uids]);
    // The sign-ins continue at another process.
    const other = await startTestApp({ DATABASE_URL: app.database.url });
    try {
      expectStatus(await other.http.withHeaders({ authorization: `Bearer ${body.key}` }).get(organization.path), 200);
      expectStatus(await other.http.as(resumed.user).get(organization.path), 200);
      const hoursOf = async ({ user }: Member): Promise<number> => {
        const members = await organization.call.get<{ items: { userId: string; lastActiveAt: string }[] }>(
          `${organization.path}/members`,
        );
        const { lastActiveAt = '' } = members.body.items.find(({ userId }) => userId === user.uid) ?? {};
        return (Date.now() - Date.parse(lastActiveAt)) / 3_600_000;
      };
      await eventually(
        () => hoursOf(resumed),
        (hours) => hours < 1,
        10_000,
      );
      expect(await hoursOf(away)).toBeGreaterThan(2_000);
    } finally {
      await other.stop();
    }
  });

  it('rejects an invalid cursor', async () => {
    const { body } = expectStatus(await organization.call.get(`${organization.path}/members?cursor=AAAA`), 400);
    expect(body['errors']).toEqual([
      { field: 'cursor', message: 'cursor is not valid for this list. Start again without a cursor' },
    ]);
  });
});

describe('POST /api/getTeamMembers', () => {
  it('returns 404 with an empty list to users without access', async () => {
    const outsider = app.http.as(await aUser(app));
    const { body } = expectStatus(await outsider.post('/api/getTeamMembers', { organizationId: organization.id }), 404);
    expect(body).toMatchObject({ success: false, members: [], code: 'not_found' });
  });

  it('names an invalid field', async () => {
    const { body } = expectStatus(await organization.call.post('/api/getTeamMembers', { organizationId: 7 }), 400);
    expect(body['errors']).toEqual([{ field: 'organizationId', message: 'organizationId must be a UUID' }]);
  });

  it('returns the members', async () => {
    const { body } = expectStatus(await organization.call.post('/api/getTeamMembers', { organizationId: organization.id }), 200);
    expect(body).toMatchObject({ success: true, members: [{ userId: organization.owner.uid, role: 'owner', isYou: true }] });
  });
});

describe('POST /api/removeMemberFromOrganization', () => {
  const remove = ({ call }: Pick<Member, 'call'>, memberId: string) =>
    call.post('/api/removeMemberFromOrganization', { organizationId: organization.id, memberId });

  it('rejects the last owner, users without access and roles below admin with the specified message', async () => {
    const viewer = await member('viewer');
    const outsider = { call: app.http.as(await aUser(app)) };
    for (const [caller, status] of [
      [organization, 409],
      [viewer, 403],
      [outsider, 404],
    ] as const) {
      const { body } = expectStatus(await remove(caller, organization.owner.uid), status);
      expect(body).toMatchObject({ success: false, message: 'Error removing member from organization.' });
    }
    expect(await rolesOf()).toEqual(['owner', 'viewer']);
  });

  it('allows members to leave, and admins to remove members', async () => {
    const [viewer, editor, admin] = [await member('viewer'), await member('editor'), await member('admin')];
    expectStatus(await remove(viewer, viewer.user.uid), 200);
    const { body } = expectStatus(await remove(admin, editor.user.uid), 200);
    expect(body).toEqual({ success: true, message: 'Member removed from the organization' });
    expect(await rolesOf()).toEqual(['admin', 'owner']);
  });
});
