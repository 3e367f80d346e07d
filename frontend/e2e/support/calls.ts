import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { instance } from './instance.ts';
import { waitForInvitation } from './mail.ts';

export async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export interface Person {
  email: string;
  password: string;
  uid: string;
  token: string;
}

const identityCall = <T>(method: string, body: object): Promise<T> =>
  post<T>(`${instance().authEmulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`, body);

/** A user with a verified email address and no organization, created with the requests of the web app. */
export async function aPerson(): Promise<Person> {
  const person = await anUnverifiedPerson();
  await verifyEmail(person);
  const { email, password, uid } = person;
  const { idToken: token } = await identityCall<{ idToken: string }>('signInWithPassword', {
    email,
    password,
    returnSecureToken: true,
  });
  await post(`${instance().url}/api/getOrSaveUser`, { email, uid }, token);
  return { ...person, token };
}

interface SignIn {
  localId: string;
  idToken: string;
  refreshToken: string;
  expiresIn: string;
}

/** The name and value that Firebase's SDK stores in the browser for a signed-in user (UserImpl.toJSON of @firebase/auth). */
export async function storedSession(email: string, password: string): Promise<{ key: string; user: string }> {
  const [config, signedIn] = await Promise.all([
    fetch(`${instance().url}/config.json`).then((response) => response.json() as Promise<{ firebase: { apiKey: string } }>),
    identityCall<SignIn>('signInWithPassword', { email, password, returnSecureToken: true }),
  ]);
  const { apiKey } = config.firebase;
  const now = Date.now();
  const user = {
    uid: signedIn.localId,
    email,
    emailVerified: true,
    isAnonymous: false,
    providerData: [],
    stsTokenManager: {
      refreshToken: signedIn.refreshToken,
      accessToken: signedIn.idToken,
      expirationTime: now + Number(signedIn.expiresIn) * 1000,
    },
    createdAt: String(now),
    lastLoginAt: String(now),
    apiKey,
    appName: '[DEFAULT]',
  };
  return { key: `firebase:authUser:${apiKey}:[DEFAULT]`, user: JSON.stringify(user) };
}

/** A registered user with an unverified email address. */
export async function anUnverifiedPerson(): Promise<Person> {
  const { url } = instance();
  const email = `owner-${randomUUID().slice(0, 8)}@example.com`;
  const password = 'three small rivers';
  const { localId, idToken } = await identityCall<{ localId: string; idToken: string }>('signUp', {
    email,
    password,
    displayName: 'Owner',
    returnSecureToken: true,
  });
  await post(`${url}/api/getOrSaveUser`, { email, fullName: 'Owner', uid: localId }, idToken);
  return { email, password, uid: localId, token: idToken };
}

/** Verifies the email address, as the link of the email does. Older tokens do not contain the change. */
export const verifyEmail = ({ uid }: Pick<Person, 'uid'>): Promise<unknown> =>
  post(
    `${instance().authEmulatorUrl}/identitytoolkit.googleapis.com/v1/projects/${instance().firebaseProjectId}/accounts:update`,
    { localId: uid, emailVerified: true },
    'owner',
  );

/** Platform staff. Only the database can grant this role. */
export async function aStaffPerson(): Promise<Person> {
  const person = await aPerson();
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(`update users set role = 'super_admin' where uid = $1`, [person.uid]);
  await database.end();
  return person;
}

export async function anOrganization(person: Person, companyName = 'Northwind'): Promise<string> {
  const body = { companyName, userId: person.uid, isDefault: true };
  return (await post<{ organizationId: string }>(`${instance().url}/api/createOrganization`, body, person.token)).organizationId;
}

type Resources = 'destinations' | 'sources' | 'connections';

async function listOf(person: Person, organizationId: string, kind: Resources): Promise<{ id: string; name: string }[]> {
  const response = await fetch(`${instance().url}/api/v1/organizations/${organizationId}/${kind}`, {
    headers: { Authorization: `Bearer ${person.token}` },
  });
  return ((await response.json()) as { items: { id: string; name: string }[] }).items;
}

export const countOf = async (person: Person, organizationId: string, kind: Resources): Promise<number> =>
  (await listOf(person, organizationId, kind)).length;

export const namesOf = async (person: Person, organizationId: string, kind: Resources): Promise<string[]> =>
  (await listOf(person, organizationId, kind)).map(({ name }) => name);

export async function deleteAll(person: Person, organizationId: string, kind: Resources): Promise<void> {
  for (const { id } of await listOf(person, organizationId, kind)) {
    const response = await fetch(`${inOrganization(organizationId)}/${kind}/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${person.token}` },
    });
    if (!response.ok) throw new Error(`Deleting ${id} returned status ${response.status}: ${await response.text()}`);
  }
}

export const newEmail = (): string => `guest-${randomUUID().slice(0, 8)}@example.com`;

const inOrganization = (organizationId: string): string => `${instance().url}/api/v1/organizations/${organizationId}`;

type InvitedRole = 'viewer' | 'editor' | 'admin' | 'owner';

export async function anInvitation(
  person: Person,
  organizationId: string,
  email: string,
  role: InvitedRole = 'editor',
): Promise<string> {
  const { id } = await post<{ id: string }>(`${inOrganization(organizationId)}/invitations`, { email, role }, person.token);
  return id;
}

export const revokeInvitation = (person: Person, organizationId: string, invitationId: string): Promise<unknown> =>
  post(`${inOrganization(organizationId)}/invitations/${invitationId}/revoke`, {}, person.token);

/** Sets the expiry of an invitation to the past. */
export async function expireInvitation(invitationId: string): Promise<void> {
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(`update invitations set expires_at = now() - interval '1 minute' where id = $1`, [invitationId]);
  await database.end();
}

/** A new user who has accepted an invitation. */
export async function aMember(owner: Person, organizationId: string, role: InvitedRole): Promise<Person> {
  const member = await aPerson();
  const invitationId = await anInvitation(owner, organizationId, member.email, role);
  const link = await waitForInvitation(member.email, (path) => path.includes(invitationId));
  const token = new URL(link, instance().url).searchParams.get('token');
  await post(`${instance().url}/api/acceptInvitation`, { invitationId, token }, member.token);
  return member;
}

export const removeMember = (owner: Person, organizationId: string, memberId: string): Promise<unknown> =>
  post(`${instance().url}/api/removeMemberFromOrganization`, { organizationId, memberId }, owner.token);

/** Renames a versioned resource, as another user with the same open page would. */
async function rename(person: Person, url: string, name: string): Promise<void> {
  const headers = { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' };
  const { version } = (await (await fetch(url, { headers })).json()) as { version: number };
  const response = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ name, version }) });
  if (!response.ok) throw new Error(`Renaming returned status ${response.status}: ${await response.text()}`);
}

export const renameOrganization = (person: Person, organizationId: string, name: string): Promise<void> =>
  rename(person, inOrganization(organizationId), name);

export const renameResource = (
  person: Person,
  organizationId: string,
  kind: Resources,
  id: string,
  name: string,
): Promise<void> => rename(person, `${inOrganization(organizationId)}/${kind}/${id}`, name);

/** Marks the apps of one organization as needing reauthentication for three days. A fault of the sandbox would affect all tests. */
export async function endSignIns(organizationId: string): Promise<void> {
  const failure = {
    class: 'auth',
    code: 'meta_ads.token_invalid',
    message: 'The password of the connected user changed.',
    action: 'Reconnect the app',
    providerRequestId: null,
  };
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(
    `update apps set state = 'needs_reauth', failure = $2, needs_reauth_since = now() - interval '3 days' where organization_id = $1`,
    [organizationId, failure],
  );
  await database.end();
}

/** Adds a fault to the sandbox. */
export const addFault = (fault: Record<string, unknown>): Promise<{ id: string }> =>
  post(`${instance().sandboxUrl}/admin/faults`, fault);

/** Slows down Google Ads until the test has seen what is shown meanwhile. Returns the function that ends it. */
export async function slowGoogle(customerId?: string, delayMs = 1_500): Promise<() => Promise<unknown>> {
  const { id } = await addFault({ provider: 'google-ads', fault: 'slow', delayMs, customerId });
  return () => post(`${instance().sandboxUrl}/admin/faults/${id}/clear`, {});
}

/** The HTTP status of a request for an organization's members. */
export async function statusOfMembers(person: Person, organizationId: string): Promise<number> {
  const response = await fetch(`${instance().url}/api/v1/organizations/${organizationId}/members`, {
    headers: { Authorization: `Bearer ${person.token}` },
  });
  return response.status;
}
