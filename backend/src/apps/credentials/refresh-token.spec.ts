import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { createTestApp, sandboxSettings, startTestApp, type TestApp, testSettings } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, type Organization } from '../../../test/factories.js';
import { untilTriggered } from '../../../test/faults.js';
import { expireStoredToken } from '../../../test/tokens.js';
import { ReconnectNeeded } from '../../connectors/kit/errors.js';
import { AuthorizedApps } from './authorized-apps.service.js';
import type { AppEventPage } from '../app-use.dto.js';
import type { AppEntry } from '../apps.dto.js';

/** Longer than everything that is done while a refresh is in progress. */
const SLOW_MS = 1_500;

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
  await sandbox.clearFaults();
  organization = await anOrganization(app);
  appId = await aConnectedApp(organization, 'demo@example.com', 'microsoft_ads');
});

const appPath = () => `${organization.path}/apps/${appId}`;
const getApp = async (): Promise<AppEntry> => (await organization.call.get<AppEntry>(appPath())).body;
const probe = () => organization.call.post<AppEntry>(`${appPath()}/probe`);
const expire = () => expireStoredToken(app, organization.id, appId);
const history = async (): Promise<string[]> =>
  (await organization.call.get<AppEventPage>(`${appPath()}/history?limit=100`)).body.items.map(({ event }) => event);
const slowToken = () => sandbox.addFault({ provider: 'microsoft-ads', fault: 'slow', endpoint: 'token', delayMs: SLOW_MS, times: 1 }); // prettier-ignore

/** Microsoft has invalidated the old refresh token: only the new one can be used. */
async function expectNextRefreshToWork(): Promise<void> {
  expect(await history()).toContain('refreshed');
  await expire();
  expect(await probe()).toMatchObject({ status: 200, body: { state: 'connected' } });
}

describe('a refresh in progress', () => {
  it('is completed before its process stops: the rotated token is stored', async () => {
    await expire();
    await slowToken();
    const worker = await createTestApp(testSettings(app.database.url, { ...sandboxSettings(sandbox.url), ROLE: 'worker' }));
    await worker.init();
    const payload = JSON.stringify({ organizationId: organization.id, appId });
    await app.database.query(`select graphile_worker.add_job('probe-app', $1::json)`, [payload]);
    await untilTriggered(sandbox, 'slow');
    await worker.close();
    await expectNextRefreshToWork();
  });

  it('continues if its caller fails with another error, and that error does not mark the app', async () => {
    await expire();
    await slowToken();
    const elsewhere = new AbortController();
    const source = app.get(AuthorizedApps).openSource({ organizationId: organization.id, id: appId, provider: 'microsoft_ads' });
    const listing = source.listAccounts({ signal: elsewhere.signal, onRequest: () => undefined });
    const failure = new ReconnectNeeded({ code: 'bigquery.dead', message: 'Of another app.', action: 'Reconnect with Google' });
    const outcome = expect(listing).rejects.toBe(failure);
    await untilTriggered(sandbox, 'slow');
    elsewhere.abort(failure);
    await outcome;
    // Waits for the row lock of the refresh.
    expect(await probe()).toMatchObject({ status: 200, body: { state: 'connected', failure: null } });
    expect(await history()).not.toContain('needs_reauth');
    await expectNextRefreshToWork();
  });
});

describe('a refresh that waits for another one', () => {
  it('is postponed instead of started without enough time to store its result', async () => {
    await expire();
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from apps where id = $1 for no key update', [appId]);
      const refused = await probe();
      expect(refused).toMatchObject({ status: 503, body: { code: 'provider.unavailable', action: expect.any(String) } });
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await holder.end();
    }
    expect(await getApp()).toMatchObject({ state: 'connected', failure: null });
    expect(await history()).not.toContain('refreshed');
    expect(await probe()).toMatchObject({ status: 200, body: { state: 'connected' } });
  });
});
