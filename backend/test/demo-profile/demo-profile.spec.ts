import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../factories.js';

// The services of the profile demo, executed with the commands and the environment of docker-compose.yml.

const repository = path.resolve(import.meta.dirname, '..', '..', '..');
/** The first run loads 400 days. */
const RUN_TIMEOUT_MS = 580_000;

type Addresses = Record<'product' | 'auth' | 'mail' | 'sandbox' | 'email' | 'password', string>;

let services: ChildProcess;
let demo: Addresses;

beforeAll(async () => {
  services = spawn(process.execPath, ['tools/demo/test/run-profile.ts'], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const lines = createInterface(services.stdout!);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  if (line === undefined) throw new Error('The demo did not start. The reason is above');
  demo = JSON.parse(line) as Addresses;
});
afterAll(async () => {
  const hasEnded = once(services, 'exit');
  services.stdin?.end();
  await hasEnded;
});

/** As a browser does. */
async function signIn(password: string): Promise<{ status: number; idToken?: string }> {
  const url = `${demo.auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`;
  const body = JSON.stringify({ email: demo.email, password, returnSecureToken: true });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { status: response.status, ...((await response.json()) as { idToken?: string }) };
}

async function get<Answer>(idToken: string, route: string): Promise<Answer> {
  const response = await fetch(`${demo.product}/api${route}`, { headers: { authorization: `Bearer ${idToken}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

interface Run {
  id: string;
  state: string;
}
interface Verification {
  rowsExpected: number;
  rowsFound: number;
  isEqual: boolean;
}

describe('profile demo of docker-compose.yml', () => {
  it('serves the product, the sandbox and the mail catcher through its published ports', async () => {
    const statuses = await Promise.all(
      [`${demo.product}/readyz`, demo.sandbox, demo.mail, demo.auth].map(async (url) => (await fetch(url)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  it('has no default password: only the one of the secret file signs in', async () => {
    expect((await signIn('tributary-demo')).status).toBe(400);
    expect((await signIn(demo.password)).status).toBe(200);
  });

  it('shows the demo user a verified run', async () => {
    const { idToken = '' } = await signIn(demo.password);
    const { uid } = await get<{ uid: string }>(idToken, '/v1/me');
    const { organizations } = await get<{ organizations: { organizationId: string }[] }>(
      idToken,
      `/getOrganizationIds?userId=${uid}&superadmin=false`,
    );
    const base = `/v1/organizations/${organizations[0]!.organizationId}`;
    const first = async () => {
      const { items } = await get<{ items: { id: string; name: string; lastRun: Run | null }[] }>(idToken, `${base}/connections`);
      return items.find(({ name }) => name === 'Google Ads to warehouse');
    };
    const connection = await eventually(first, (found) => found?.lastRun?.state === 'succeeded', RUN_TIMEOUT_MS);
    const { verification } = await get<{ verification: Verification[] }>(idToken, `${base}/runs/${connection!.lastRun!.id}`);
    expect(verification.length).toBeGreaterThan(0);
    for (const { rowsExpected, rowsFound, isEqual } of verification) {
      expect(rowsExpected).toBeGreaterThan(0);
      expect(rowsFound).toBe(rowsExpected);
      expect(isEqual).toBe(true);
    }
  });
});
