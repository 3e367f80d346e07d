import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, aSource, expectStatus, type Organization } from '../../test/factories.js';
import { aMember } from '../../test/teams.js';
import type { AppEntry } from '../apps/apps.dto.js';
import type { SourceEntry } from './sources.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;
let appId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(app);
  appId = await aConnectedApp(organization);
});

const DEFAULTS = { level: 'campaign', breakdowns: [], lookbackDays: 14 };
const read = async () => (await organization.call.get<AppEntry>(`${organization.path}/apps/${appId}`)).body;
const set = async (body: object, call = organization.call) =>
  call.patch<AppEntry>(`${organization.path}/apps/${appId}/source-defaults`, {
    ...DEFAULTS,
    version: (await read()).version,
    ...body,
  });
const made = async (settings?: object) => {
  const body = { appId, name: 'Search', accountIds: ['9001000011'], settings };
  return expectStatus(await organization.call.post<SourceEntry>(`${organization.path}/sources`, body), 201).body.settings;
};

it('rejects unknown settings, an older version and users who may not manage apps, and stores nothing', async () => {
  expect((await set({ breakdowns: ['mood'] })).body).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'breakdowns' }],
  });
  expect((await set({ lookbackDays: 91 })).body).toMatchObject({ errors: [{ field: 'lookbackDays' }] });
  expect((await set({ version: 99 })).status).toBe(409);
  const editor = await aMember(app, organization, 'editor');
  expect((await set({}, editor.call)).status).toBe(403);
  const custom = await organization.call.post<AppEntry>(`${organization.path}/apps`, { provider: 'custom' });
  const path = `${organization.path}/apps/${custom.body.id}/source-defaults`;
  expect((await organization.call.patch(path, { ...DEFAULTS, version: 1 })).status).toBe(400);
  expect(await read()).toMatchObject({ sourceDefaults: null });
});

it('fills only settings that a new source omits', async () => {
  const before = await aSource(organization, { appId });
  expect(expectStatus(await set({}), 200).body).toMatchObject({ sourceDefaults: DEFAULTS });
  expect(await made()).toMatchObject(DEFAULTS);
  expect(await made({ level: 'account', lookbackDays: null })).toMatchObject({
    level: 'account',
    breakdowns: [],
    lookbackDays: null,
  });
  const older = await organization.call.get<SourceEntry>(`${organization.path}/sources/${before}`);
  expect(older.body.settings).toMatchObject({ level: 'keyword', lookbackDays: null });
  const other = await aConnectedApp(organization);
  const body = { appId: other, name: 'Search', accountIds: ['9001000011'] };
  expect((await organization.call.post<SourceEntry>(`${organization.path}/sources`, body)).body.settings.level).toBe('keyword');
});
