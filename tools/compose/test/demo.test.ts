import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_EMAIL } from '../../start/plan.ts';
import { signIn } from '../../start/demo-user.ts';
import { ComposeProject } from '../compose-project.ts';

/** Ports that docker-compose.yml publishes. */
const PRODUCT = 'http://127.0.0.1:3000';
const AUTH = 'http://127.0.0.1:9099';
/** The demo user is created after the start. */
const USER_TIMEOUT_MS = 300_000;
let project: ComposeProject;
const secrets = new Map<string, string>();

function createSecrets(folder: string): void {
  execFileSync('sh', [path.join(folder, 'deploy', 'demo-secrets.sh')], { stdio: 'ignore' });
  const created = path.join(folder, '.secrets', 'demo');
  for (const name of readdirSync(created)) secrets.set(name, readFileSync(path.join(created, name), 'utf8').trim());
}

beforeAll(async () => {
  project = await ComposeProject.start(createSecrets, 'demo');
});
afterAll(() => project?.remove());

describe('profile demo of docker-compose.yml', () => {
  it('starts only the services of the demo', async () => {
    const services = await project.inspect();
    expect([...services.keys()].filter((name) => !/^demo(-|$)/.test(name))).toEqual([]);
    for (const name of ['demo-prepare', 'demo-migrate'])
      expect(services.get(name)!.State).toMatchObject({ Running: false, ExitCode: 0 });
    for (const name of ['demo', 'demo-postgres', 'demo-auth', 'demo-mail', 'demo-sandbox', 'demo-api', 'demo-worker'])
      expect({ name, ...services.get(name) }).toMatchObject({ name, State: { Running: true } });
  });

  it('serves the demo, the sandbox and the mail catcher', async () => {
    for (const url of [`${PRODUCT}/api/v1/demo`, PRODUCT, 'http://127.0.0.1:3010', 'http://127.0.0.1:3020'])
      expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 });
  });

  it('signs in the demo user, only with the password of the secret file', async () => {
    const password = secrets.get('password')!;
    const status = async () => (await signIn(AUTH, DEMO_EMAIL, password)).status;
    await expect.poll(status, { timeout: USER_TIMEOUT_MS, interval: 1000 }).toBe(200);
    expect((await signIn(AUTH, DEMO_EMAIL, `${password}0`)).status).toBe(400);
    const { idToken } = (await (await signIn(AUTH, DEMO_EMAIL, password)).json()) as { idToken: string };
    const me = await fetch(`${PRODUCT}/api/v1/me`, { headers: { authorization: `Bearer ${idToken}` } });
    expect(me.status).toBe(200);
  });

  it('runs no process of Node as root', async () => {
    for (const name of ['demo', 'demo-auth', 'demo-sandbox', 'demo-api', 'demo-worker'])
      expect((await project.execute(name, 'id', '-u')).output.trim()).not.toBe('0');
  });

  it('prints no secret', () => {
    const values = [...secrets.values()];
    expect(project.containersThatPrint([...values, ...values.flatMap((text) => /[0-9a-f]{48}/.exec(text) ?? [])])).toEqual([]);
  });
});
