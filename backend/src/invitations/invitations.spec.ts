import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
}, 60_000);
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  invited = await aUser(app);
});

const invite = (role = 'editor'): Promise<string> => anInvitation(organization, invited.email, role);
const accept = (user: TestUser, body: object) => app.http.as(user).post('/api/acceptInvitation', body);
const stateOf = async (invitationId: string): Promise<unknown> =>
  (await app.database.query('select state, accepted_by from invitations where id = $1', [invitationId]))[0];

/** What the mail holds and nothing else does. */
const tokenOf = (invitationId: string): Promise<string> => mailedToken(app, invitationId);

describe('inviting', () => {
  it('takes an admin', async () => {
    const editor = await aMember(app, organization, 'editor');
    const { body } = expectStatus(
      await editor.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' }),
      403,
    );
    expect(body['code']).toBe('access.role_too_low');
  });

  it('never goes above one’s own role', async () => {
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await admin.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'owner' }), 403);
  });

  it('refuses who is invited or a member already', async () => {
    const invitationId = await invite();
    const again = () => organization.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' });
    expect((await again()).body['code']).toBe('invitation.already_pending');
    expectStatus(await accept(invited, { invitationId }), 200);
    expect((await again()).body['code']).toBe('invitation.already_member');
  });

  it('makes one invitation of many at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        organization.call.post(`${organization.path}/invitations`, { email: invited.email.toUpperCase(), role: 'viewer' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('ends at 50 mails a day, resends included', async () => {
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

  it('ends at 200 a day for one person, however many organizations they make', async () => {
    const elsewhere = await anOrganization(app, organization.owner);
    await app.database.query(
      `insert into outbox_messages (id, organization_id, kind, name, user_id)
       select gen_random_uuid(), $1, 'mail', 'invitation', $2 from generate_series(1, 200)`,
      [elsewhere.id, organization.owner.uid],
    );
    const answer = await organization.call.post(`${organization.path}/invitations`, { email: invited.email, role: 'viewer' });
    expect(expectStatus(answer, 429).body['code']).toBe('invitation.daily_limit');
  });

  it('makes room once an invitation has run out', async () => {
    const first = await invite();
    await app.database.query(`update invitations set expires_at = now() - interval '1 minute' where id = $1`, [first]);
    const second = await invite();
    expect(second).not.toBe(first);
    expect(await stateOf(first)).toMatchObject({ state: 'expired' });
  });

  it('says that mails wait while there is no mail server', async () => {
    const invitationId = await invite();
    const { body } = await organization.call.get<{ items: object[] }>(`${organization.path}/invitations?state=pending`);
    expect(body.items).toEqual([expect.objectContaining({ id: invitationId, mailState: 'not_configured', state: 'pending' })]);
    expect(app.get(Outbox).canDeliver('mail')).toBe(false);
  });

  it('keeps the token out of the database', async () => {
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

  it('shows nothing without its token, except to the invited', async () => {
    const invitationId = await invite();
    expectStatus(await preview(null, invitationId), 401);
    expectStatus(await preview(null, invitationId, 'A'.repeat(43)), 404);
    expectStatus(await preview(await aUser(app), invitationId), 404);
    expect(expectStatus(await preview(invited, invitationId), 200).body).toMatchObject({ isForYou: true });
  });

  it('shows who invites into what, to whoever holds it', async () => {
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

  it('dies when a new one is sent', async () => {
    const invitationId = await invite();
    const old = await tokenOf(invitationId);
    expectStatus(await organization.call.post(`${organization.path}/invitations/${invitationId}/resend`), 200);
    expectStatus(await preview(null, invitationId, old), 404);
    expectStatus(await preview(null, invitationId, await tokenOf(invitationId)), 200);
  });
});

describe('accepting', () => {
  it('is refused to another account, which hears whom the link is for only with the token', async () => {
    const invitationId = await invite();
    const stranger = await aUser(app);
    const blind = expectStatus(await accept(stranger, { invitationId }), 404).body;
    expect(blind).toMatchObject({ success: false, message: 'Error accepting invitation.', code: 'not_found' });
    const seeing = expectStatus(await accept(stranger, { invitationId, token: await tokenOf(invitationId) }), 403).body;
    expect(seeing).toMatchObject({ code: 'invitation.other_email', detail: expect.stringContaining(invited.email) });
  });

  it('takes a verified e-mail or the mailed token', async () => {
    const invitationId = await invite();
    const unverified = { ...invited, isEmailVerified: false };
    expect(expectStatus(await accept(unverified, { invitationId }), 403).body['code']).toBe('invitation.unverified_email');
    expect(expectStatus(await accept(unverified, { invitationId, token: 'B'.repeat(43) }), 403).body['code']).toBe(
      'invitation.unverified_email',
    );
    const { body } = expectStatus(await accept(unverified, { invitationId, token: await tokenOf(invitationId) }), 200);
    expect(body).toEqual({ success: true, message: 'Invitation accepted', organizationId: organization.id });
  });

  it('cannot be done for somebody else', async () => {
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

  it('a deleted organization has no invitations', async () => {
    const invitationId = await invite();
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    expectStatus(await accept(invited, { invitationId }), 404);
  });

  it('100 times at once makes one member and one event', async () => {
    const invitationId = await invite();
    const answers = await Promise.all(Array.from({ length: 100 }, () => accept(invited, { invitationId })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(await app.database.query('select role from members where user_id = $1', [invited.uid])).toEqual([{ role: 'editor' }]);
    expect(await outboxOf(app, organization.id, 'Organization Joined')).toHaveLength(1);
    expect(await outboxOf(app, organization.id, 'joined')).toHaveLength(1);
    expect(await stateOf(invitationId)).toEqual({ state: 'accepted', accepted_by: invited.uid });
  });

  it('does not bring back who was removed since', async () => {
    const invitationId = await invite();
    expectStatus(await accept(invited, { invitationId }), 200);
    expectStatus(await organization.call.delete(`${organization.path}/members/${invited.uid}`), 204);
    expect(expectStatus(await accept(invited, { invitationId }), 409).body['code']).toBe('invitation.accepted');
  });
});

describe('POST /api/rejectInvitation', () => {
  it('is the invited person’s alone', async () => {
    const invitationId = await invite();
    const { body } = expectStatus(await organization.call.post('/api/rejectInvitation', { invitationId }), 404);
    expect(body).toMatchObject({ success: false, message: 'Error rejecting invitation.' });
    expect(await stateOf(invitationId)).toMatchObject({ state: 'pending' });
  });

  it('ends the invitation, once', async () => {
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
  ])('refuses an inviter’s %s that is not the caller’s', async (_, claim) => {
    const answer = expectStatus(await organization.call.post('/api/sendInvitation', body(claim)), 403).body;
    expect(answer).toMatchObject({ success: false, message: 'Error sending invitation.', code: 'access.not_yours' });
  });

  it('refuses another organization as if there were none', async () => {
    const other = await anOrganization(app);
    const answer = expectStatus(await other.call.post('/api/sendInvitation', body()), 404).body;
    expect(answer).toMatchObject({ success: false, message: 'Error sending invitation.', code: 'not_found' });
  });

  it('mails the organization’s own name, whatever the payload says', async () => {
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

  it('answers the same for another’s e-mail, an unverified one, and one without invitations', async () => {
    await invite();
    const stranger = await aUser(app);
    expect((await pending(stranger, invited.email)).body).toEqual(none);
    expect((await pending({ ...invited, isEmailVerified: false }, invited.email)).body).toEqual(none);
    expect((await pending(stranger, stranger.email)).body).toEqual(none);
  });

  it('answers the caller’s own', async () => {
    const invitationId = await invite();
    const { body } = expectStatus(await pending(invited, invited.email.toUpperCase()), 200);
    expect(body).toMatchObject({
      success: true,
      invitations: [{ id: invitationId, organizationName: 'Northwind', inviterEmail: organization.owner.email }],
    });
  });
});

describe('POST /api/getPendingInvitation that fails', () => {
  it('answers with its text and an empty list', async () => {
    const { body } = expectStatus(await organization.call.post('/api/getPendingInvitation', { email: 7 }), 400);
    expect(body).toMatchObject({ success: false, message: 'Error getting pending invitations.', invitations: [] });
  });
});

describe('POST /api/getSentInvitation', () => {
  it('refuses strangers with an empty list', async () => {
    const stranger = app.http.as(await aUser(app));
    const { body } = expectStatus(await stranger.post('/api/getSentInvitation', { organizationId: organization.id }), 404);
    expect(body).toMatchObject({ success: false, message: 'Error getting sent invitations.', invitations: [] });
  });

  it('answers what is open, and says when nothing is', async () => {
    const sent = () => organization.call.post('/api/getSentInvitation', { organizationId: organization.id });
    expect((await sent()).body).toEqual({ success: true, message: 'No pending invitations found', invitations: [] });
    const invitationId = await invite();
    expect((await sent()).body).toMatchObject({ success: true, invitations: [{ id: invitationId, email: invited.email }] });
  });
});
