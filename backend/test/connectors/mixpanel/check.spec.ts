import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mixpanelConnector } from '../../../src/connectors/mixpanel/index.js';
import { statusMeanings, textMeanings, toConnectorError } from '../../../src/connectors/mixpanel/errors.js';
import { hostsOf } from '../../../src/connectors/mixpanel/hosts.js';
import { RetryLater } from '../../../src/connectors/kit/errors.js';
import { aContext } from '../context.js';
import { credentials, europeProject, freeProject, MixpanelSandbox, startMixpanel, webProject } from './mixpanel-sandbox.js';
import { settingsSchema } from '../../../src/connectors/mixpanel/settings.js';

let mixpanel: MixpanelSandbox;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
afterEach(async () => {
  await mixpanel.sandbox.clearFaults();
  await mixpanel.liftLimits();
});
afterAll(() => mixpanel.sandbox.stop());

const inUs = { projectId: webProject, residency: 'US' };
const serviceAccount = (given: Record<string, unknown>) => ({ authMode: 'service_account' as const, credentials: given });

async function check(settings: Record<string, unknown> = inUs, account: Record<string, unknown> = credentials) {
  const destination = mixpanelConnector(mixpanel.settings).open(settings, serviceAccount(account));
  const items = await destination.check(aContext());
  await destination.close();
  return items;
}

/** The failed item. All items after it are skipped. */
async function failureOf(settings?: Record<string, unknown>, account?: Record<string, unknown>) {
  const items = await check(settings, account);
  const index = items.findIndex(({ state }) => state === 'failed');
  expect(items.slice(index + 1).every(({ state }) => state === 'skipped')).toBe(true);
  expect(JSON.stringify(items)).not.toContain('-secret');
  return items[index];
}

const reader = { username: 'reader.9b07de.mp-service-account', secret: 'sandbox-reader-secret' };
const expired = { username: 'expired.1d44b8.mp-service-account', secret: 'sandbox-expired-secret' };

describe('the check', () => {
  it.each([{ ...credentials, secret: 'wrong-secret' }, expired])('reports a rejected service account: %#', async (account) => {
    expect(await failureOf(inUs, account)).toMatchObject({
      code: 'signs_in',
      detail: expect.stringContaining('expired'),
      action: 'Update the credentials',
    });
  });

  it('reports a service account without access to the project', async () => {
    expect(await failureOf({ projectId: '999', residency: 'US' })).toMatchObject({
      code: 'project',
      detail: 'The service account has no access to project 999.',
    });
  });

  it('reports a project in another region', async () => {
    expect(await failureOf({ projectId: europeProject, residency: 'US' })).toMatchObject({
      code: 'residency',
      action: expect.stringContaining('data residency'),
    });
  });

  it('reports a service account without import permission', async () => {
    expect(await failureOf(inUs, reader)).toMatchObject({ code: 'imports', action: expect.stringContaining('Owner or Admin') });
  });

  it('reports that Mixpanel is unavailable', async () => {
    await mixpanel.fault('unavailable', { endpoint: 'app' });
    expect(await failureOf()).toMatchObject({ code: 'signs_in', action: expect.stringContaining('retries automatically') });
  });

  it('does not fail because of an exhausted quota', async () => {
    await mixpanel.admin('mixpanel/limits', { queriesPerHour: 0, exportsPerHour: 0 });
    expect((await check()).map(({ code, state }) => `${code} ${state}`)).toEqual([
      'signs_in passed',
      'project passed',
      'residency skipped',
      'imports passed',
      'reads_back skipped',
    ]);
  });

  it('passes all items in both regions and writes nothing', async () => {
    for (const settings of [inUs, { projectId: europeProject, residency: 'EU' }])
      expect((await check(settings)).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'passed'));
    const query = new URLSearchParams({ projectId: webProject, from: '2025-01-01', to: '2027-12-31' });
    const totals = await fetch(`${mixpanel.sandbox.url}/admin/mixpanel/totals?${query}`);
    expect(await totals.json()).toMatchObject({ rawEvents: 0 });
  });
});

describe('the check of a project on the Free plan', () => {
  const free = { projectId: freeProject, residency: 'US' };

  it('passes with import and raw export, and reports that the plan has no Query API', async () => {
    const before = (await mixpanel.requests('names')).length;
    const items = await check(free);
    expect(items.map(({ code, state }) => `${code} ${state}`)).toEqual([
      'signs_in passed',
      'project passed',
      'residency passed',
      'imports passed',
      'reads_back passed',
    ]);
    expect(items.find(({ code }) => code === 'residency')?.detail).toBe('US, verified with the raw export');
    expect(items.find(({ code }) => code === 'reads_back')?.detail).toBe(
      'With the raw export only: the plan of this Mixpanel project does not include the Query API',
    );
    expect((await mixpanel.requests('names')).slice(before).map(({ status }) => status)).toEqual([402]);
  });

  it('detects another region with the raw export', async () => {
    expect(await failureOf({ ...free, residency: 'EU' })).toMatchObject({
      code: 'residency',
      action: expect.stringContaining('data residency'),
    });
  });
});

it('reports 402 as a limit of the plan, without a retry', () => {
  const error = toConnectorError({ endpoint: 'query', status: 402, text: 'Your plan does not allow API calls.' });
  expect(error).toMatchObject({
    name: 'PlanLimit',
    failureClass: 'config',
    code: 'mixpanel.plan_limit',
    message: 'The plan of this Mixpanel project does not include the Query API.',
  });
  expect(error).not.toBeInstanceOf(RetryLater);
});

describe('the test event', () => {
  const sendTest = (settings: Record<string, unknown>, account: Record<string, unknown> = credentials) =>
    mixpanelConnector(mixpanel.settings).sendTest?.(settings, serviceAccount(account), aContext());

  it('arrives and is in no ads report', async () => {
    expect(await sendTest(inUs)).toMatchObject({ state: 'passed', detail: '"Tributary Test" was sent and read back' });
  });

  it('is awaited for a short time', async () => {
    await mixpanel.fault('delay_events', { seconds: 0.03 });
    expect(await sendTest(inUs)).toMatchObject({ state: 'passed' });
  });

  it('gives a warning when accepted but not returned yet', async () => {
    await mixpanel.fault('delay_events', { seconds: 60 });
    expect(await sendTest(inUs)).toMatchObject({
      state: 'passed',
      isWarning: true,
      detail: 'Mixpanel accepted the test event but does not return it yet.',
      action: expect.stringContaining('data residency'),
    });
  });

  it('fails for a wrong region or service account', async () => {
    expect(await sendTest({ projectId: europeProject, residency: 'US' })).toMatchObject({ state: 'failed' });
    expect(await sendTest(inUs, reader)).toMatchObject({ state: 'failed', action: expect.stringContaining('Owner or Admin') });
  });
});

describe('the connector', () => {
  const connector = mixpanelConnector({ baseUrl: null, now: () => new Date() });

  it.each([
    { residency: 'US' },
    { projectId: 'my-token', residency: 'US' },
    { projectId: webProject },
    { projectId: webProject, residency: 'us' },
    { ...inUs, restatementMode: 'guess' },
    { ...inUs, secret: 'x' },
  ])('rejects the settings %j', (settings) => {
    expect(settingsSchema.safeParse(settings).success).toBe(false);
  });

  it.each([{ username: 'a:b', secret: 'x' }, { username: 'a' }, { username: 'a', secret: 'b', more: 1 }])(
    'rejects the credentials %j',
    (given) => {
      expect(connector.credentialKinds[0]?.schema?.safeParse(given).success).toBe(false);
    },
  );

  it('describes itself without secrets', () => {
    expect(connector.describe(inUs, credentials)).toEqual({
      appName: 'Mixpanel project 3100001',
      credentialHint: credentials.username,
      target: '3100001 (US): Ad Data',
    });
    expect(connector.describe(inUs, null).credentialHint).toBeNull();
  });

  it('can only be opened with a service account', () => {
    const accessToken = { accessToken: () => Promise.resolve('token') };
    expect(() => connector.open(inUs, { authMode: 'oauth2', accessToken })).toThrow();
  });
});

it('uses the hosts of each region', () => {
  expect(hostsOf(null, 'US')).toEqual({
    import: 'https://api.mixpanel.com',
    export: 'https://data.mixpanel.com/api/2.0',
    query: 'https://mixpanel.com/api',
    app: 'https://mixpanel.com/api',
  });
  expect(hostsOf(null, 'EU')).toMatchObject({ import: 'https://api-eu.mixpanel.com', query: 'https://eu.mixpanel.com/api' });
  expect(hostsOf(null, 'IN')).toMatchObject({ export: 'https://data-in.mixpanel.com/api/2.0' });
});

const failures = [
  ...Object.keys(statusMeanings).map((status) => ({ status: Number(status), text: 'raw text' })),
  ...Object.keys(textMeanings).map((text) => ({ status: 400, text })),
  { status: 418, text: 'raw text' },
].flatMap((failure) => (['import', 'export', 'query', 'app'] as const).map((endpoint) => ({ ...failure, endpoint })));

it.each(failures)('translates $endpoint $status "$text" into a message with one action', (failure) => {
  const { message, action, code } = toConnectorError(failure);
  expect(message).toMatch(/^[^{}]{15,}\.$/);
  expect(message).not.toContain('raw text');
  expect(action).toMatch(/^[A-Z].{8,}[^.]$/);
  expect(code).toMatch(/^mixpanel\.[a-z0-9_]+$/);
});
