import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The calls of Intercom's global function, in order. */
let calls: unknown[][] = [];
let settings: Record<string, unknown> = {};
let proofs: Record<string, () => Promise<Response> | Response> = {};
let requested: string[] = [];

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

async function answer(input: RequestInfo | URL): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (url.endsWith('/config.json')) return json(settings);
  const { userId } = (await (input as Request).json()) as { userId: string };
  requested.push(userId);
  return (await proofs[userId]?.()) ?? json({ detail: 'Not yours' }, 403);
}

const withIntercom = { firebase: {}, intercom: { appId: 'workspace', apiBase: 'https://api-iam.eu.intercom.io' } };
const proofOf = (userId: string) => () => json({ userHash: `hash of ${userId}`, userJwt: `token of ${userId}` });
const settingsOf = (userId: string) => ({
  api_base: 'https://api-iam.eu.intercom.io',
  app_id: 'workspace',
  user_id: userId,
  user_hash: `hash of ${userId}`,
  intercom_user_jwt: `token of ${userId}`,
});
const updateSupport = async (userId: string | null) => (await import('./support')).updateSupport(userId);

beforeEach(() => {
  vi.resetModules();
  calls = [];
  requested = [];
  settings = withIntercom;
  proofs = { a: proofOf('a'), b: proofOf('b') };
  vi.stubGlobal('window', { Intercom: (...parameters: unknown[]) => calls.push(parameters) });
  vi.stubGlobal('location', { origin: 'https://tributary.example.com' });
  vi.stubGlobal('fetch', answer);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.unstubAllGlobals());

test('requests and calls nothing when no messenger is configured', async () => {
  settings = { firebase: {}, intercom: null };
  await updateSupport('a');
  expect([requested, calls]).toEqual([[], []]);
});

test('does not start the messenger when the identity proof is rejected', async () => {
  proofs = {};
  await updateSupport('a');
  expect([requested, calls]).toEqual([['a'], []]);
});

test('calls nothing when a user signs out before the messenger was shown', async () => {
  await updateSupport(null);
  expect(calls).toEqual([]);
});

test('ignores an identity proof that arrives after the sign-out', async () => {
  let arrive: (response: Response) => void = () => undefined;
  proofs.a = () => new Promise((resolve) => (arrive = resolve));
  const late = updateSupport('a');
  await vi.waitFor(() => expect(requested).toEqual(['a']));
  await updateSupport(null);
  arrive(proofOf('a')());
  await late;
  expect(calls).toEqual([]);
});

test('sends no user id without an identity proof', async () => {
  proofs.a = () => json({ userHash: null, userJwt: null });
  await updateSupport('a');
  const [, parameters] = calls.find(([method]) => method === 'update') ?? [];
  expect(parameters).toMatchObject({ app_id: 'workspace' });
  expect(parameters).not.toHaveProperty('user_id');
});

test('starts, updates, shuts down and starts again for the next user', async () => {
  await updateSupport('a');
  await updateSupport('a');
  await updateSupport(null);
  expect(window.intercomSettings).toBeUndefined();
  await updateSupport('b');
  await updateSupport(null);
  expect(calls).toEqual([
    ['reattach_activator'],
    ['update', { ...settingsOf('a'), installation_type: 'npm-package' }],
    ['update', settingsOf('a')],
    ['shutdown'],
    ['boot', settingsOf('b')],
    ['shutdown'],
  ]);
});

test('keeps a custom API host', async () => {
  settings = { firebase: {}, intercom: { appId: 'workspace', apiBase: 'https://support.example.com' } };
  await updateSupport('a');
  expect(window.intercomSettings).toMatchObject({ api_base: 'https://support.example.com', user_id: 'a' });
});
