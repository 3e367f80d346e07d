import { demo, instance } from './instance.ts';

/** The token of the demo user. */
export async function signInDemo(): Promise<string> {
  const { authEmulatorUrl } = instance();
  const { email, password } = demo();
  const response = await fetch(`${authEmulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  return ((await response.json()) as { idToken: string }).idToken;
}

/** A path in the demo organization. */
export async function get<Answer>(token: string, path: string): Promise<Answer> {
  const { url } = instance();
  const response = await fetch(`${url}/api/v1/organizations/${demo().organizationId}/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
