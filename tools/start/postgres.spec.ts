import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readJsonFile } from '../json-file.ts';
import type { Postgres } from '../postgres/start-postgres.ts';
import { openDataFolder } from './data-folder.ts';
import type { Plan } from './plan.ts';
import { choosePorts, type Ports } from './ports.ts';
import { startInstancePostgres } from './postgres.ts';
import { loadSecrets } from './secrets.ts';

let folder: string;
let other: Server;
let postgres: Postgres | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'taken-port-'));
  // If this runs as root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  other = createServer();
  postgres = null;
});
afterEach(async () => {
  await postgres?.stop();
  await new Promise((resolve) => other.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

it('PostgreSQL uses another port if a program takes the chosen one before it starts', async () => {
  const data = openDataFolder(folder);
  const { ports } = await choosePorts(data.portsFile, 0);
  const plan: Plan = {
    ...{ data, ports, secrets: loadSecrets(data.secretsFile) },
    ...{ isDevelopment: false, isBilled: false, extension: null },
  };
  const taken = ports.postgres;
  await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve));
  expect((other.address() as AddressInfo).port).toBe(taken);

  const messages: string[] = [];
  postgres = await startInstancePostgres(plan, (message) => messages.push(message));

  expect(postgres.port).not.toBe(taken);
  expect(messages).toEqual([`Port ${taken} is in use. postgres uses port ${postgres.port}`]);
  expect(readJsonFile<Ports>(data.portsFile)?.postgres).toBe(postgres.port);
}, 120_000);
