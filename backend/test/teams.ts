import { Secrets } from '../src/core/encryption/secrets.js';
import type { TestApp } from './app.js';
import { aUser, expectStatus, type Organization } from './factories.js';
import type { Caller, TestUser } from './http.js';

export interface Member {
  user: TestUser;
  call: Caller;
}

/** A user who was invited and has accepted. */
export async function aMember(app: TestApp, organization: Organization, role: string): Promise<Member> {
  const user = await aUser(app);
  const call = app.http.as(user);
  const invitationId = await anInvitation(organization, user.email, role);
  expectStatus(await call.post('/api/acceptInvitation', { invitationId }), 200);
  return { user, call };
}

/** The id of an open invitation. */
export async function anInvitation(organization: Organization, email: string, role = 'editor'): Promise<string> {
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/invitations`, { email, role }),
    201,
  );
  return body.id;
}

/** Messages in the outbox, by name. */
export const outboxOf = (app: TestApp, organizationId: string, name: string): Promise<{ state: string; once_key: string }[]> =>
  app.database.query('select state, once_key from outbox_messages where organization_id = $1 and name = $2', [
    organizationId,
    name,
  ]);

/** Platform staff. Only the database can grant this role. */
export async function aSuperAdmin(app: TestApp): Promise<TestUser> {
  const user = await aUser(app);
  await app.database.query(`update users set role = 'super_admin' where uid = $1`, [user.uid]);
  return user;
}

/** The secret of the link in an invitation mail. */
export async function mailedToken(app: TestApp, invitationId: string): Promise<string> {
  const [row] = await app.database.query<{ content: string }>(
    'select m.content from invitations i join outbox_messages m on m.id = i.mail_id where i.id = $1',
    [invitationId],
  );
  const mail = app.get(Secrets).unwrap('outbox', row?.content ?? '') as { button: { url: string } };
  return new URL(mail.button.url).searchParams.get('token') ?? '';
}
