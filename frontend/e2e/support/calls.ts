import { randomUUID } from 'node:crypto';
import { instance } from './instance.ts';

async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export interface Person {
  email: string;
  password: string;
  uid: string;
  token: string;
}

/** Somebody with an account and no organization, made by the calls the web app makes. */
export async function aPerson(): Promise<Person> {
  const { authEmulatorUrl, url } = instance();
  const email = `owner-${randomUUID().slice(0, 8)}@example.com`;
  const password = 'three small rivers';
  const { localId, idToken } = await post<{ localId: string; idToken: string }>(
    `${authEmulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`,
    { email, password, displayName: 'Owner', returnSecureToken: true },
  );
  await post(`${url}/api/getOrSaveUser`, { email, fullName: 'Owner', uid: localId }, idToken);
  return { email, password, uid: localId, token: idToken };
}

export async function anOrganization(person: Person, companyName = 'Northwind'): Promise<string> {
  const body = { companyName, userId: person.uid, isDefault: true };
  return (await post<{ organizationId: string }>(`${instance().url}/api/createOrganization`, body, person.token)).organizationId;
}

export async function countOf(
  person: Person,
  organizationId: string,
  things: 'destinations' | 'sources' | 'connections',
): Promise<number> {
  const response = await fetch(`${instance().url}/api/v1/organizations/${organizationId}/${things}`, {
    headers: { Authorization: `Bearer ${person.token}` },
  });
  return ((await response.json()) as { items: unknown[] }).items.length;
}

/** Switches a fault of the sandbox on; what it answers is the sandbox's own description of it. */
export const addFault = (fault: Record<string, unknown>): Promise<unknown> =>
  post(`${instance().sandboxUrl}/admin/faults`, fault);
