import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt } from 'jose';
import { Secrets } from '../src/core/encryption/secrets.js';
import type { TestApp } from './app.js';
import { aDraftApp, anOrganization, aUser, eventually, expectStatus, type Organization } from './factories.js';
import type { TestUser } from './http.js';
import { type BilledApp, startBilledApp, subscribe } from './stripe.js';
import { anInvitation, mailedToken } from './teams.js';

const REFUSED = { code: 'auth.email_unverified', action: 'Verify your e-mail address' };

let scenario: BilledApp;
let app: TestApp;

beforeAll(async () => {
  scenario = await startBilledApp({ INTERCOM_SECRET: 'messenger-secret-of-the-test' });
  app = scenario.app;
});
afterAll(() => scenario?.stop());

/** A registered user whose e-mail address is not verified. */
const anUnverified = (): Promise<TestUser> => aUser(app, { isEmailVerified: false });
const verified = (user: TestUser): TestUser => ({ ...user, isEmailVerified: true });

const invite = ({ call, path }: Pick<Organization, 'call' | 'path'>, email: string) =>
  call.post(`${path}/invitations`, { email, role: 'viewer' });

/** Traits of a user that are queued for Customer.io, oldest first. */
async function traitsOf({ uid }: TestUser): Promise<Record<string, unknown>[]> {
  const rows = await app.database.query<{ content: string }>(
    `select content from outbox_messages where kind = 'analytics' and name = 'identify' order by id`,
  );
  return rows
    .map(({ content }) => app.get(Secrets).unwrap('outbox', content) as { userId: string; traits: Record<string, unknown> })
    .filter(({ userId }) => userId === uid)
    .map(({ traits }) => traits);
}

const isVerifiedInDatabase = async ({ uid }: TestUser): Promise<unknown> =>
  (await app.database.query<{ v: boolean }>('select is_email_verified as v from users where uid = $1', [uid]))[0]?.v;

describe('a user with an unverified e-mail address', () => {
  it('cannot send invitations', async () => {
    const owner = await anUnverified();
    const organization = await anOrganization(app, owner);
    const { body } = expectStatus(await invite(organization, 'target@example.com'), 403);
    expect(body).toMatchObject(REFUSED);
    const documented = { email: 'target@example.com', organization_id: organization.id };
    expect(expectStatus(await organization.call.post('/api/sendInvitation', documented), 403).body).toMatchObject(REFUSED);
    const invitationId = await anInvitation({ ...organization, call: app.http.as(verified(owner)) }, 'target@example.com');
    const resend = `${organization.path}/invitations/${invitationId}/resend`;
    expect(expectStatus(await app.http.as(owner).post(resend), 403).body).toMatchObject(REFUSED);
    expectStatus(await app.http.as(owner).post(`${organization.path}/invitations/${invitationId}/revoke`), 200);
    expectStatus(await invite({ ...organization, call: app.http.as(verified(owner)) }, 'target@example.com'), 201);
  });

  it('cannot create a share link', async () => {
    const owner = await aUser(app);
    const organization = await anOrganization(app, owner);
    await subscribe(organization, scenario.stripe);
    const isOpen = () => organization.call.post(`${organization.path}/subscription/refresh`);
    await eventually(isOpen, ({ body }) => body['access'] === 'open');
    const appId = await aDraftApp(organization);
    const share = (user: TestUser) => app.http.as(user).post(`${organization.path}/apps/${appId}/share-link`);
    expect(expectStatus(await share({ ...owner, isEmailVerified: false }), 403).body).toMatchObject(REFUSED);
    expectStatus(await share(owner), 201);
  });

  it('cannot send invitations with an API key', async () => {
    const owner = await anUnverified();
    const organization = await anOrganization(app, owner);
    const made = { name: 'robot', role: 'admin' };
    const { body } = expectStatus(await organization.call.post<{ key: string }>(`${organization.path}/api-keys`, made), 201);
    const robot = app.http.withHeaders({ authorization: `Bearer ${body.key}` });
    expect(expectStatus(await robot.post(`${organization.path}/invitations`, { email: 'a@example.com', role: 'viewer' }), 403).body)
      .toMatchObject(REFUSED); // prettier-ignore
  });

  it('does not block an invitation of the real owner of the address', async () => {
    const organization = await anOrganization(app);
    const squatter = await anUnverified();
    await app.database.query(`insert into members (organization_id, user_id, role) values ($1, $2, 'viewer')`, [
      organization.id,
      squatter.uid,
    ]);
    expectStatus(await invite(organization, squatter.email), 201);
  });

  it('is a normal member once the mailed token has verified the address', async () => {
    const organization = await anOrganization(app);
    const guest = await anUnverified();
    const invitationId = await anInvitation(organization, guest.email);
    const token = await mailedToken(app, invitationId);
    expectStatus(await app.http.as(guest).post('/api/acceptInvitation', { invitationId, token }), 200);
    expect(expectStatus(await invite(organization, guest.email), 409).body['code']).toBe('invitation.already_member');
  });

  it('is marked wherever other users see the address', async () => {
    const organization = await anOrganization(app);
    const guest = await anUnverified();
    const invitationId = await anInvitation(organization, guest.email, 'admin');
    const token = await mailedToken(app, invitationId);
    expectStatus(await app.http.as(guest).post('/api/acceptInvitation', { invitationId, token }), 200);
    const team = expectStatus(await organization.call.post('/api/getTeamMembers', { organizationId: organization.id }), 200).body;
    const marks = (team['members'] as { userId: string; isEmailVerified: boolean }[]).map((m) => [m.userId, m.isEmailVerified]);
    expect(Object.fromEntries(marks)).toEqual({ [organization.owner.uid]: true, [guest.uid]: false });

    const target = await aUser(app);
    const second = await anInvitation({ ...organization, call: app.http.as(verified(guest)) }, target.email);
    await app.database.query('update users set is_email_verified = false where uid = $1', [guest.uid]);
    const seen = { inviterEmail: guest.email, isInviterVerified: false };
    const sent = await organization.call.get<{ items: { id: string }[] }>(`${organization.path}/invitations`);
    expect(sent.body.items.find(({ id }) => id === second)).toMatchObject(seen);
    expect((await app.http.as(target).get(`/api/v1/invitations/${second}`)).body).toMatchObject(seen);
    const pending = await app.http.as(target).post('/api/getPendingInvitation', { email: target.email });
    expect((pending.body['invitations'] as object[])[0]).toMatchObject(seen);
  });

  it('is sent to Intercom without the address', async () => {
    const user = await anUnverified();
    const proof = async (of: TestUser) =>
      decodeJwt(String((await app.http.as(of).post('/api/getIntercomHash', { userId: of.uid })).body['userJwt']));
    expect(await proof(user)).not.toHaveProperty('email');
    expect(await proof(user)).toMatchObject({ user_id: user.uid });
    expect(await proof(verified(user))).toMatchObject({ user_id: user.uid, email: user.email });
  });

  it('is sent to Customer.io without the address until it is verified, for any traits', async () => {
    const user = await anUnverified();
    const organization = await anOrganization(app, user);
    await app.http.as(user).post('/api/customerio/identify', { traits: { plan: 'trial', email: 'victim@example.com' } });
    await app.http.as(user).post('/api/identifyUserWithOrganization', { organizationId: organization.id });
    const before = await traitsOf(user);
    expect(before.length).toBeGreaterThanOrEqual(4);
    expect(before.filter((traits) => 'email' in traits)).toEqual([]);
    await app.http.as(verified(user)).get('/api/v1/me');
    const after = (await traitsOf(user)).slice(before.length);
    expect(after).toEqual([{ email: user.email, name: `Name of ${user.uid}`, created_at: expect.any(Number) }]);
  });

  it('cannot create a customer at Stripe, but can use the one that a verified owner has created', async () => {
    const owner = await anUnverified();
    const organization = await anOrganization(app, owner);
    const customer = () => organization.call.post('/billing/customer', { organizationId: organization.id });
    const checkout = () => organization.call.post(`${organization.path}/subscription/checkout`);
    expect(expectStatus(await customer(), 403).body).toMatchObject({ success: false, ...REFUSED });
    expect(expectStatus(await checkout(), 403).body).toMatchObject(REFUSED);
    const listed = await scenario.stripe.client.customers.list({ email: owner.email });
    expect(listed.data).toEqual([]);
    const verifiedOwner = app.http.as(verified(owner));
    const made = expectStatus(await verifiedOwner.post('/billing/customer', { organizationId: organization.id }), 200).body;
    const { body } = expectStatus(await customer(), 200);
    expect(body['customerId']).toBe(made['customerId']);
    expectStatus(await checkout(), 200);
  });
});

describe('an e-mail address', () => {
  it('is verified from the first call with a verified token, without a new sign-in', async () => {
    const [byMe, inOrganization] = [await anUnverified(), await anUnverified()];
    const organization = await anOrganization(app, inOrganization);
    await app.http.as(verified(byMe)).get('/api/v1/me');
    await app.http.as(verified(inOrganization)).get(organization.path);
    expect([await isVerifiedInDatabase(byMe), await isVerifiedInDatabase(inOrganization)]).toEqual([true, true]);
    expect((await app.http.as(verified(byMe)).get('/api/v1/me')).body).toMatchObject({ isEmailVerified: true });
  });

  it('stays verified after a call with an older token of another tab', async () => {
    const user = await anUnverified();
    const save = (as: TestUser) =>
      app.http.as(as).post('/api/getOrSaveUser', { email: as.email, fullName: 'Owner', uid: as.uid });
    expectStatus(await save(verified(user)), 200);
    expectStatus(await save(user), 200);
    expect(await isVerifiedInDatabase(user)).toBe(true);
  });

  it('that is a user’s new one is unverified again', async () => {
    const user = await aUser(app);
    const moved = { ...user, email: `new-${user.email}`, isEmailVerified: false };
    expectStatus(await app.http.as(moved).post('/api/getOrSaveUser', { email: moved.email, uid: moved.uid }), 200);
    expect(await isVerifiedInDatabase(user)).toBe(false);
  });

  it('of a token does not verify another stored address', async () => {
    const user = await anUnverified();
    expectStatus(await app.http.as({ ...user, email: `other-${user.email}`, isEmailVerified: true }).get('/api/v1/me'), 200);
    expect(await isVerifiedInDatabase(user)).toBe(false);
  });
});
