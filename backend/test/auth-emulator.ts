import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './factories.js';
import { FIREBASE_PROJECT_ID } from './settings.js';
import { freePort } from './mail-catcher.js';

export interface EmulatedAccount {
  uid: string;
  email: string;
  /** An ID token as the Firebase client receives it. */
  token: string;
}

/** Google's Firebase Auth emulator in its own process: tests the sign-in code against an independent implementation. */
export interface AuthEmulator {
  host: string;
  signUp(): Promise<EmulatedAccount>;
  /** Creates many accounts with these uids in one request, without signing them in. */
  importAccounts(uids: string[]): Promise<void>;
  signIn(account: EmulatedAccount): Promise<EmulatedAccount>;
  /** Changes an account like the Firebase console. */
  update(uid: string, change: { disableUser?: boolean; validSince?: string }): Promise<void>;
  remove(uid: string): Promise<void>;
  stop(): Promise<void>;
}

const firebase = fileURLToPath(new URL('../../node_modules/firebase-tools/lib/bin/firebase.js', import.meta.url));
const PASSWORD = 'test-password';
/** The emulator takes about ten seconds to start, more on a busy machine. */
const START_TIMEOUT_MS = 120_000;

export async function startAuthEmulator(): Promise<AuthEmulator> {
  const folder = mkdtempSync(path.join(tmpdir(), 'auth-emulator-'));
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const part = (port: number) => ({ host: '127.0.0.1', port });
  const emulators = { auth: part(auth), hub: part(hub), logging: part(logging), ui: { enabled: false } };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  const parameters = ['emulators:start', '--only', 'auth', '--project', FIREBASE_PROJECT_ID];
  const child = spawn(process.execPath, [firebase, ...parameters], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: folder, NO_UPDATE_NOTIFIER: '1', CI: '1' },
  });
  const host = `127.0.0.1:${auth}`;
  await eventually(
    () => fetch(`http://${host}/`).then(({ status }) => status, () => 0),
    (status) => status > 0,
    START_TIMEOUT_MS,
  ); // prettier-ignore
  return {
    ...callsTo(host),
    host,
    stop: async () => {
      const hasEnded = once(child, 'exit');
      child.kill('SIGINT');
      await hasEnded;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function callsTo(host: string): Omit<AuthEmulator, 'host' | 'stop'> {
  const root = `http://${host}/identitytoolkit.googleapis.com/v1`;
  const post = async (url: string, body: object): Promise<Record<string, string>> => {
    // The emulator accepts this word in place of a service account's token. With it, sign-in responses have no ID token.
    const authorization = url.startsWith('projects/') ? { authorization: 'Bearer owner' } : {};
    const headers = { 'content-type': 'application/json', ...authorization };
    const answer = await fetch(`${root}/${url}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${url} returned ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const enter = async (call: string, email: string): Promise<EmulatedAccount> => {
    const entered = await post(`accounts:${call}?key=test`, { email, password: PASSWORD, returnSecureToken: true });
    return { uid: entered['localId'] ?? '', email, token: entered['idToken'] ?? '' };
  };
  return {
    signUp: () => enter('signUp', `${crypto.randomUUID()}@example.com`),
    importAccounts: async (uids) => {
      const users = uids.map((localId) => ({ localId, email: `${localId}@example.com` }));
      await post(`projects/${FIREBASE_PROJECT_ID}/accounts:batchCreate`, { users });
    },
    signIn: ({ email }) => enter('signInWithPassword', email),
    update: async (uid, change) => {
      await post(`projects/${FIREBASE_PROJECT_ID}/accounts:update`, { localId: uid, ...change });
    },
    remove: async (uid) => {
      await post(`projects/${FIREBASE_PROJECT_ID}/accounts:delete`, { localId: uid });
    },
  };
}
