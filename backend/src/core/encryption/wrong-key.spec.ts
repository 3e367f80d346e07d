import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, startTestApp, type TestApp, testSettings } from '../../../test/app.js';
import { createTestDatabase } from '../../../test/database.js';
import { anOrganization } from '../../../test/factories.js';
import { DataKeys } from './data-keys.js';
import { RotateKeys } from './rotate-keys.js';
import { Secrets } from './secrets.js';

const OLD = Buffer.alloc(32, 7).toString('base64');
const NEW = randomBytes(32).toString('base64');
const SENTENCE =
  'ENCRYPTION_KEY does not decrypt the stored credentials. Set the key that the database was used with, or ENCRYPTION_KEY_PREVIOUS during a rotation';

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp({ ENCRYPTION_KEY: OLD });
  organizationId = (await anOrganization(app)).id;
  await app.get(Secrets).encrypt({ organizationId, table: 'apps', column: 'credentials', rowId: 'row' }, 'secret');
});
afterAll(() => app?.stop());

/** Runs a command of the built product as an operator does. */
function run(command: 'main' | 'rotate-keys', settings: Record<string, string>): { status: number | null; stderr: string } {
  const file = path.resolve(import.meta.dirname, '..', '..', '..', 'dist', 'src', `${command}.js`);
  const env = { PATH: process.env['PATH'], ...testSettings(app.database.url, settings) };
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env, timeout: 30_000 });
  return { status, stderr: stderr.trim() };
}

async function check(keys: Record<string, string>, databaseUrl = app.database.url): Promise<void> {
  const other = await createTestApp(testSettings(databaseUrl, keys));
  try {
    await other.get(DataKeys).check();
  } finally {
    await other.close();
  }
}

describe('a key that does not decrypt the stored credentials', () => {
  it.each(['api', 'worker'])('stops the start with ROLE=%s, with a sentence that names the settings', (ROLE) => {
    expect(run('main', { ENCRYPTION_KEY: NEW, ROLE })).toEqual({ status: 1, stderr: SENTENCE });
  });

  it('stops a rotation with the same sentence', () => {
    expect(run('rotate-keys', { ENCRYPTION_KEY: NEW })).toEqual({ status: 1, stderr: SENTENCE });
  });

  it('is accepted by a database without credentials', async () => {
    const empty = await createTestDatabase();
    await check({ ENCRYPTION_KEY: NEW }, empty.url).finally(() => empty.stop());
  });

  it('is accepted during a rotation with the other key, also after the rotation', async () => {
    const both = { ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_PREVIOUS: OLD };
    await check(both);
    const rotating = await createTestApp(testSettings(app.database.url, both));
    await rotating.get(RotateKeys).run();
    await rotating.close();
    await check(both);
    await check({ ENCRYPTION_KEY: NEW });
    await expect(check({ ENCRYPTION_KEY: OLD })).rejects.toThrow(SENTENCE);
  });

  it('is accepted after the data keys were deleted because the key was lost', async () => {
    await app.database.query('delete from data_keys');
    const another = randomBytes(32).toString('base64');
    await check({ ENCRYPTION_KEY: another });
    const restarted = await createTestApp(testSettings(app.database.url, { ENCRYPTION_KEY: another }));
    const place = { organizationId, table: 'apps', column: 'credentials', rowId: 'row' } as const;
    const envelope = await restarted.get(Secrets).encrypt(place, 'entered again');
    expect(await restarted.get(Secrets).decrypt(place, envelope)).toBe('entered again');
    await restarted.close();
  });
});
