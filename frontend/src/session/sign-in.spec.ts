import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

/** What happened, in order: calls of the identity provider and of the server, and whether a user is stored at that time. */
let steps: string[] = [];
const stored = new Map<string, string>();
const step = (name: string): void => void steps.push(`${name}, ${stored.has('fb_user') ? 'a user' : 'no user'} is stored`);

const guest = { uid: 'u1', email: 'guest@example.com', displayName: 'Guest', photoURL: null };
const credential = (name: string, user: typeof guest | null) => () => {
  step(name);
  return Promise.resolve({ user });
};

/** Replaces the provider's library, because it never succeeds without a user. */
vi.doMock('firebase/auth', () => ({
  connectAuthEmulator: () => undefined,
  createUserWithEmailAndPassword: credential('create the account', guest),
  GoogleAuthProvider: Object,
  initializeAuth: () => ({ currentUser: null }),
  sendEmailVerification: () => Promise.resolve(),
  signInWithEmailAndPassword: credential('password', null),
  signInWithPopup: credential('popup', null),
  updateProfile: () => Promise.resolve(),
  browserLocalPersistence: {},
  browserPopupRedirectResolver: {},
  indexedDBLocalPersistence: {},
}));

const json = (body: object) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

const answers: Record<string, object> = {
  '/config.json': { firebase: { projectId: 'tributary-test' } },
  '/api/getUser': { success: true, message: 'User not found', user: null },
  '/api/getOrSaveUser': { success: true, message: 'User saved', user: { uid: 'u1', role: 'user' } },
};

const answer = (input: RequestInfo | URL): Promise<Response> => {
  const path = new URL(input instanceof Request ? input.url : String(input), 'http://localhost').pathname;
  if (['/api/getUser', '/api/getOrSaveUser'].includes(path)) step(path);
  return Promise.resolve(json(answers[path] ?? {}));
};

beforeEach(() => {
  vi.resetModules();
  steps = [];
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => {
  vi.doUnmock('firebase/auth');
  vi.resetModules();
});

test('a sign-in that returns no user is rejected with Login failed, and saves nobody', async () => {
  const { signInWithGoogle, signInWithPassword } = await import('./sign-in');
  await expect(signInWithPassword('guest@example.com', 'three small rivers')).rejects.toThrow(/^Login failed$/);
  await expect(signInWithGoogle()).rejects.toThrow(/^Login failed$/);
  expect(steps).toEqual(['password, no user is stored', 'popup, no user is stored']);
});

test('a registration clears the stored user, creates the account, looks up its record and saves a missing one', async () => {
  stored.set('fb_user', JSON.stringify({ id: 'u2', uid: 'u2', email: 'other@example.com', isAuthenticated: true }));
  const { register } = await import('./sign-in');
  expect(await register('Guest', 'guest@example.com', 'three small rivers')).toBe('u1');
  expect(steps).toEqual([
    'create the account, no user is stored',
    '/api/getUser, no user is stored',
    '/api/getOrSaveUser, no user is stored',
  ]);
});
