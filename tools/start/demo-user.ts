import { DEMO_EMAIL, DEMO_PASSWORD, FIREBASE_PROJECT_ID } from './plan.ts';

/** Fixed, so that a user recreated after a lost export still owns the demo organization. */
const DEMO_USER_ID = 'demo-user';

export interface DemoUser {
  userId: string;
  idToken: string;
}

async function callEmulator(authUrl: string, path: string, body: object, isAdmin: boolean): Promise<Response> {
  return fetch(`${authUrl}/identitytoolkit.googleapis.com/v1/${path}`, {
    method: 'POST',
    // The emulator's administrator token.
    headers: { 'content-type': 'application/json', ...(isAdmin ? { authorization: 'Bearer owner' } : {}) },
    body: JSON.stringify(body),
  });
}

/** As a browser does. */
export const signIn = (authUrl: string, email: string, password: string): Promise<Response> =>
  callEmulator(authUrl, 'accounts:signInWithPassword?key=demo', { email, password, returnSecureToken: true }, false);

/** Creates the demo user if it is missing, and signs it in. */
export async function signInDemoUser(authUrl: string, password = DEMO_PASSWORD): Promise<DemoUser> {
  let response = await signIn(authUrl, DEMO_EMAIL, password);
  if (!response.ok) {
    const user = { email: DEMO_EMAIL, password, localId: DEMO_USER_ID, displayName: 'Demo', emailVerified: true };
    const created = await callEmulator(authUrl, `projects/${FIREBASE_PROJECT_ID}/accounts`, user, true);
    if (!created.ok) throw new Error(`Cannot create the demo user: ${await created.text()}`);
    response = await signIn(authUrl, DEMO_EMAIL, password);
  }
  if (!response.ok) throw new Error(`Cannot sign in the demo user: ${await response.text()}`);
  const { localId, idToken } = (await response.json()) as { localId: string; idToken: string };
  return { userId: localId, idToken };
}
