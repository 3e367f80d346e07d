import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testSettings } from '../../../test/settings.js';
import { type Env, SettingsError } from './env.js';
import { connectorSettings } from '../../connectors/registry.js';
import { loadSettings, SETTINGS } from './load-settings.js';

const good = testSettings('postgresql://user:pass@127.0.0.1:5432/db');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('provides the settings, and adds neither a secret from a file nor a .env file to the environment of child processes', async () => {
  writeFileSync(path.join(folder, 'secret'), 'from-file\n');
  writeFileSync(path.join(folder, '.env'), 'FROM_ENV_FILE=1\nGOOGLE_CLIENT_ID=from-env-file\n');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const before = { ...process.env };
  const files = { GOOGLE_CLIENT_SECRET: '', GOOGLE_CLIENT_SECRET_FILE: path.join(folder, 'secret') };
  const module = await Test.createTestingModule({
    imports: [await loadSettings({ ...good, ...files }, connectorSettings)],
  }).compile();
  expect(module.get<Env>(SETTINGS)).toMatchObject({
    GOOGLE_CLIENT_SECRET: 'from-file',
    GOOGLE_CLIENT_ID: 'test-client',
    READ_CACHE_BYTES: 41_943_040,
  });
  expect(process.env).toEqual(before);
});

it('rejects invalid settings before Nest starts', async () => {
  const loading = loadSettings({ ...good, PORT: 'eighty', PUBLIC_URL: '' }, connectorSettings);
  await expect(loading).rejects.toThrow(SettingsError);
  await expect(loading).rejects.toThrow(/PORT: [^]*PUBLIC_URL: is missing/);
});
