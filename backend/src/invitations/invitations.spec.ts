import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, aUser, expectStatus, type Organization } from '../../test/factories.js';
import type { TestUser } from '../../test/http.js';
import { Outbox } from '../core/outbox/outbox.js';
import { Secrets } from '../core/encryption/secrets.js';
import { aMember, anInvitation, mailedToken, outboxOf } from '../../test/teams.js';

let app: TestApp;
let organization: Organization;
let invited: TestUser;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  invited = await aUser(app);
});

const invite = (role = 'editor'): Promise<string> => anInvitation(organization, invited.email, role);
const accept = (user: TestUser, body: object) => app.http.as(user).post('/api/acceptInvitation', body);
const stateOf = async (invitationId: string): Promise<unknown> =>
  (await app.database.query('select state, accepted_by from invitations where id = $1', [invitationId]))[0];

/** The token, which only the mail contains. */
const tokenOf = (invitationId: string): Promise<string> => mailedToken(app, invitationId);

describe('inviting', () => {
  it('requires an admin', async () => {
    const editor = await aMember(app, organization, 'editor');
    const { body } = expectStatus(
      await editor.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' }),
      403,
    );
    expect(body['code']).toBe('access.role_too_low');
  });

  it('is limited to the inviter’s own role', async () => {
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await admin.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'owner' }), 403);
  });

  it('rejects an address that is already invited or a member', async () => {
    const invitationId = await invite();
    const again = () => organization.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' });
    expect((await again()).body['code']).toBe('invitation.already_pending');
    expectStatus(await accept(invited, { invitationId }), 200);
    expect((await again()).body['code']).toBe('invitation.already_member');
  });

  it('creates one invitation for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        organization.call.post(`${organization.path}/invitations`, { email: invited.email.toUpperCase(), role: 'viewer' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('is limited to 50 mails a day per organization, including resends', async () => {
    await app.database.query(
      `insert into outbox_messages (id, organization_id, kind, name)
       select gen_random_uuid(), $1, 'mail', 'invitation' from generate_series(1, 49)`,
      [organization.id],
    );
    const invitationId = await invite();
    const answer = await organization.call.post(`${organization.path}/invitations/${invitationId}/resend`);
    expect(expectStatus(answer, 429).body['code']).toBe('invitation.daily_limit');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_600);
  });

  it('is limited to 200 mails a day per person over all organizations', async () => {
    const elsewhere = await anOrganization(app, organization.owner);
    await app.database.query(
      `insert into outbox_messages (id, organization_id, kind, name, user_id)
       select gen_random_uuid(), $1, 'mail', 'invitation', $2 from generate_series(1, 200)`,
      [elsewhere.id, organization.owner.uid],
    );
    const answer = await organization.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' });
    expect(expectStatus(answer, 429).body['code']).toBe('invitation.daily_limit');
  });

  it('is possible again after an invitation has expired', async () => {
    const first = await invite();
    await app.database.query(`update invitations set expires_at = now() - interval '1 minute' where id = $1`, [first]);
    const second = await invite();
    expect(second).not.toBe(first);
    expect(await stateOf(first)).toMatchObject({ state: 'expired' });
  });

  it('reports that no mail server is configured', async () => {
    const invitationId = await invite();
    const { body } = await organization.call.get<{ items: object[] }>(`${organization.path}/invitations?state=pending`);
    expect(body.items).toEqual([expect.objectContaining({ id: invitationId, mailState: 'not_configured', state: 'pending' })]);
    expect(app.get(Outbox).canDeliver('mail')).toBe(false);
  });

  it('does not store the token in the database', async () => {
    const invitationId = await invite();
    const token = await tokenOf(invitationId);
    const rows = await app.database.query(
      `select i::text || coalesce(m::text, '') as everything from invitations i join outbox_messages m on m.id = i.mail_id where i.id = $1`,
      [invitationId],
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a mailed link', () => {
  const preview = (user: TestUser | null, invitationId: string, token?: string) =>
    (user ? app.http.as(user) : app.http.withHeaders({})).get(
      `/api/v1/invitations/${invitationId}${token ? `?token=${token}` : ''}`,
    );

  it('shows the invitation only with its token or to the invited person', async () => {
    const invitationId = await invite();
    expectStatus(await preview(null, invitationId), 401);
    expectStatus(await preview(null, invitationId, 'A'.repeat(43)), 404);
    expectStatus(await preview(await aUser(app), invitationId), 404);
    expect(expectStatus(await preview(invited, invitationId), 200).body).toMatchObject({ isForYou: true });
  });

  it('shows inviter and organization to a caller with the token', async () => {
    const invitationId = await invite('viewer');
    const token = await tokenOf(invitationId);
    const expected = {
      organizationName: 'Northwind',
      inviterEmail: organization.owner.email,
      email: invited.email,
      role: 'viewer',
    };
    expect((await preview(null, invitationId, token)).body).toMatchObject({ ...expected, isForYou: null, state: 'pending' });
    expect((await preview(await aUser(app), invitationId, token)).body).toMatchObject({ ...expected, isForYou: false });
  });

  it('expires when a new one is sent', async () => {
    const invitationId = await invite();
    const old = await tokenOf(invitationId);
    expectStatus(await organization.call.post(`${organization.path}/invitations/${invitationId}/resend`), 200);
    expectStatus(await preview(null, invitationId, old), 404);
    expectStatus(await preview(null, invitationId, await tokenOf(invitationId)), 200);
  });
});

describe('accepting', () => {
  it('is rejected for another account, which learns the invited address only with the token', async () => {
    const invitationId = await invite();
    const outsider = await aUser(app);
    const blind = expectStatus(await accept(outsider, { invitationId }), 404).body;
    expect(blind).toMatchObject({ success: false, message: 'Error accepting invitation.', code: 'not_found' });
    const seeing = expectStatus(await accept(outsider, { invitationId, token: await tokenOf(invitationId) }), 403).body;
    expect(seeing).toMatchObject({ code: 'invitation.other_email', detail: expect.stringContaining(invited.email) });
  });

  it('requires a verified e-mail or the mailed token', async () => {
    const invitationId = await invite();
    const unverified = { ...invited, isEmailVerified: false };
    expect(expectStatus(await accept(unverified, { invitationId }), 403).body['code']).toBe('invitation.unverified_email');
    expect(expectStatus(await accept(unverified, { invitationId, token: 'B'.repeat(43) }), 403).body['code']).toBe(
      'invitation.unverified_email',
    );
    const { body } = expectStatus(await accept(unverified, { invitationId, token: await tokenOf(invitationId) }), 200);
    expect(body).toEqual({ success: true, message: 'Invitation accepted', organizationId: organization.id });
  });

  it('is rejected with the uid of another user', async () => {
    const invitationId = await invite();
    const { body } = expectStatus(await accept(invited, { invitationId, userId: organization.owner.uid }), 403);
    expect(body).toMatchObject({ code: 'access.not_yours', message: 'Error accepting invitation.' });
  });

  it.each([
    ['expired', `expires_at = now() - interval '1 second'`],
    ['revoked', `state = 'revoked'`],
    ['rejected', `state = 'rejected'`],
  ])('an invitation that is %s names the inviter', async (state, change) => {
    const invitationId = await invite();
    await app.database.query(`update invitations set ${change} where id = $1`, [invitationId]);
    const { body } = expectStatus(await accept(invited, { invitationId }), 409);
    expect(body['code']).toBe(`invitation.${state}`);
    expect(body['detail']).toContain(organization.owner.email);
  });

  it('returns 404 for an invitation of a deleted organization', async () => {
    const invitationId = await invite();
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    expectStatus(await accept(invited, { invitationId }), 404);
  });

  it('creates one member and one event for 100 concurrent requests', async () => {
    const invitationId = await invite();
    const answers = await Promise.all(Array.from({ length: 100 }, () => accept(invited, { invitationId })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(await app.database.query('select role from members where user_id = $1', [invited.uid])).toEqual([{ role: 'editor' }]);
    expect(await outboxOf(app, organization.id, 'Organization Joined')).toHaveLength(1);
    expect(await outboxOf(app, organization.id, 'joined')).toHaveLength(1);
    expect(await stateOf(invitationId)).toEqual({ state: 'accepted', accepted_by: invited.uid });
  });

  it('does not restore a member who was removed since', async () => {
    const invitationId = await invite();
    expectStatus(await accept(invited, { invitationId }), 200);
    expectStatus(await organization.call.delete(`${organization.path}/members/${invited.uid}`), 204);
    expect(expectStatus(await accept(invited, { invitationId }), 409).body['code']).toBe('invitation.accepted');
  });
});

describe('POST /api/rejectInvitation', () => {
  it('is possible for the invited person only', async () => {
    const invitationId = await invite();
    const { body } = expectStatus(await organization.call.post('/api/rejectInvitation', { invitationId }), 404);
    expect(body).toMatchObject({ success: false, message: 'Error rejecting invitation.' });
    expect(await stateOf(invitationId)).toMatchObject({ state: 'pending' });
  });

  it('ends the invitation once', async () => {
    const invitationId = await invite();
    const reject = () => app.http.as(invited).post('/api/rejectInvitation', { invitationId });
    expect(expectStatus(await reject(), 200).body).toEqual({ success: true, message: 'Invitation rejected' });
    expectStatus(await reject(), 200);
    expect(expectStatus(await accept(invited, { invitationId }), 409).body['code']).toBe('invitation.rejected');
  });
});

describe('POST /api/sendInvitation', () => {
  const body = (more: object = {}) => ({ email: invited.email, organization_id: organization.id, ...more });

  it.each([
    ['uid', { inviter_user_id: 'somebody-else' }],
    ['e-mail', { inviter_email: 'somebody-else@example.com' }],
  ])('rejects an inviter %s of another user', async (_, claim) => {
    const answer = expectStatus(await organization.call.post('/api/sendInvitation', body(claim)), 403).body;
    expect(answer).toMatchObject({ success: false, message: 'Error sending invitation.', code: 'access.not_yours' });
  });

  it('returns 404 for another organization', async () => {
    const other = await anOrganization(app);
    const answer = expectStatus(await other.call.post('/api/sendInvitation', body()), 404).body;
    expect(answer).toMatchObject({ success: false, message: 'Error sending invitation.', code: 'not_found' });
  });

  it('mails the stored name of the organization, not the name in the payload', async () => {
    const { uid, email } = organization.owner;
    const claim = { inviter_user_id: uid, inviter_email: email, organization: 'A trusted bank' };
    const { body: answer } = expectStatus(
      await organization.call.post<{ invitation: { id: string } }>('/api/sendInvitation', body(claim)),
      200,
    );
    expect(answer).toMatchObject({
      success: true,
      message: 'Invitation sent',
      invitation: { email: invited.email, organizationName: 'Northwind', inviterEmail: email, role: 'editor' },
    });
    const [row] = await app.database.query<{ content: string }>(
      'select content from outbox_messages where organization_id = $1 and kind = $2',
      [organization.id, 'mail'],
    );
    const mail = JSON.stringify(app.get(Secrets).unwrap('outbox', row!.content));
    expect(mail).toContain('Northwind');
    expect(mail).not.toContain('trusted bank');
  });
});

describe('POST /api/getPendingInvitation', () => {
  const none = { success: true, message: 'No pending invitations found for this user', invitations: [] };
  const pending = (user: TestUser, email: string) => app.http.as(user).post('/api/getPendingInvitation', { email });

  it('returns the same response for another e-mail, an unverified one and one without invitations', async () => {
    await invite();
    const outsider = await aUser(app);
    expect((await pending(outsider, invited.email)).body).toEqual(none);
    expect((await pending({ ...invited, isEmailVerified: false }, invited.email)).body).toEqual(none);
    expect((await pending(outsider, outsider.email)).body).toEqual(none);
  });

  it('returns the caller’s invitations', async () => {
    const invitationId = await invite();
    const { body } = expectStatus(await pending(invited, invited.email.toUpperCase()), 200);
    expect(body).toMatchObject({
      success: true,
      invitations: [{ id: invitationId, organizationName: 'Northwind', inviterEmail: organization.owner.email }],
    });
  });
});

describe('POST /api/getPendingInvitation that fails', () => {
  it('returns the specified message and an empty list', async () => {
    const { body } = expectStatus(await organization.call.post('/api/getPendingInvitation', { email: 7 }), 400);
    expect(body).toMatchObject({ success: false, message: 'Error getting pending invitations.', invitations: [] });
  });
});

describe('POST /api/getSentInvitation', () => {
  it('returns 404 with an empty list to users without access', async () => {
    const outsider = app.http.as(await aUser(app));
    const { body } = expectStatus(await outsider.post('/api/getSentInvitation', { organizationId: organization.id }), 404);
    expect(body).toMatchObject({ success: false, message: 'Error getting sent invitations.', invitations: [] });
  });

  it('returns pending invitations, or a message when there are none', async () => {
    const sent = () => organization.call.post('/api/getSentInvitation', { organizationId: organization.id });
    expect((await sent()).body).toEqual({ success: true, message: 'No pending invitations found', invitations: [] });
    const invitationId = await invite();
    expect((await sent()).body).toMatchObject({ success: true, invitations: [{ id: invitationId, email: invited.email }] });
  });
});
