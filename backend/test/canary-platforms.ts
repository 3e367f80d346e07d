import { createHmac } from 'node:crypto';
import { Secrets } from '../src/core/encryption/secrets.js';
import type { TestApp } from './app.js';
import type { Sandbox } from './connectors/sandbox-process.js';
import { aConnectedApp, daysAgo, expectStatus, type Organization } from './factories.js';
import { metaAds, microsoftAds, type Platform } from './platforms.js';
import { type RunProgress, runWhen } from './runs.js';

/** Adds to the texts that must not be found unencrypted. */
export type Remember = (name: string, secret: string) => void;

export interface PlatformsScenario {
  app: TestApp;
  sandbox: Sandbox;
  organization: Organization;
  remember: Remember;
  metaAppSecret: string;
}

/** The tokens of the platform. Each refresh replaces them. */
export async function rememberTokens(
  { app, organization, remember }: PlatformsScenario,
  appId: string,
  name: string,
): Promise<string> {
  const [row] = await app.database.query<{ credentials: string }>('select credentials from apps where id = $1', [appId]);
  const place = { organizationId: organization.id, table: 'apps', column: 'credentials', rowId: appId } as const;
  const tokens = (await app.get(Secrets).decrypt(place, row?.credentials ?? '')) as {
    accessToken: string;
    refreshToken?: string;
  };
  remember(`${name}-access-token`, tokens.accessToken);
  if (tokens.refreshToken) remember(`${name}-refresh-token`, tokens.refreshToken);
  return tokens.accessToken;
}

/** A key file of the sandbox. Its lines are searched one by one, because line endings differ between files. */
async function bigQuery({ sandbox, remember }: PlatformsScenario): Promise<Record<string, unknown>> {
  const serviceAccountKey = await (await fetch(`${sandbox.url}/admin/bigquery/service-account?name=loader`)).text();
  const { private_key: pem } = JSON.parse(serviceAccountKey) as { private_key: string };
  for (const [number, line] of pem.split('\n').slice(1, -2).entries()) if (line.length > 40) remember(`key-file-${number}`, line);
  const settings = { projectId: 'northwind-marketing', datasetId: 'canary', location: 'EU' };
  return { provider: 'bigquery', name: 'BigQuery', settings, credentials: { serviceAccountKey } };
}

function mixpanel({ remember }: PlatformsScenario): Record<string, unknown> {
  const credentials = { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' };
  remember('mixpanel-service-account', credentials.secret);
  const settings = { projectId: '3100001', residency: 'US', eventName: 'Canary' };
  return { provider: 'mixpanel', name: 'Mixpanel', settings, credentials };
}

/** One run that succeeds, one with refreshed tokens, and one for each fault, which is written to logs and run logs. */
async function runThrough(
  scenario: PlatformsScenario,
  platform: Platform,
  destination: Record<string, unknown>,
  faults: Record<string, unknown>[],
): Promise<string[]> {
  const { sandbox, organization, remember, metaAppSecret } = scenario;
  const { call, path } = organization;
  const post = async (route: string, body: object) =>
    expectStatus(await call.post<{ id: string }>(`${path}/${route}`, body), 201).body.id;
  const appId = await aConnectedApp(organization, 'demo@example.com', platform.provider);
  const tokensNow = async (when: string) => {
    const token = await rememberTokens(scenario, appId, `${platform.provider}-${when}`);
    remember(`proof-${platform.provider}-${when}`, createHmac('sha256', metaAppSecret).update(token).digest('hex'));
  };
  await tokensNow('first');
  const connectionId = await post('connections', {
    name: `${platform.provider} canary`,
    sourceId: await post('sources', { appId, name: platform.provider, accountIds: [platform.accounts[1]] }),
    destinationId: await post('destinations', destination),
    streams: ['campaign_daily'],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    lookbackDays: null,
    historyFrom: daysAgo(3),
  });
  const runs: string[] = [];
  const restingRun = async () => {
    const isResting = ({ id, state, isEnded }: RunProgress) => !runs.includes(id) && (isEnded || state === 'waiting');
    const run = await runWhen(scenario.app, organization, connectionId, isResting);
    runs.push(run.id);
    return run;
  };
  const first = await restingRun();
  if (first.state !== 'succeeded') throw new Error(`${platform.provider}: ${JSON.stringify(first.failure)}`);
  await sandbox.addFault({ provider: platform.path, fault: 'expire_token' });
  expectStatus(await call.post(`${path}/connections/${connectionId}/run`), 202);
  await restingRun();
  await tokensNow('later');
  for (const fault of faults) {
    await sandbox.clearFaults();
    await sandbox.addFault(fault);
    expectStatus(await call.post(`${path}/connections/${connectionId}/run`), 202);
    const { state, id } = await restingRun();
    if (state === 'succeeded') throw new Error(`${JSON.stringify(fault)} was not triggered`);
    if (state === 'waiting') expectStatus(await call.post(`${path}/runs/${id}/cancel`), 202);
  }
  await sandbox.clearFaults();
  return runs;
}

/** Every platform that tests elsewhere do not put canaries into, well and in trouble; the ids of all runs. */
export async function runEverywhere(scenario: PlatformsScenario): Promise<string[]> {
  const meta = await runThrough(scenario, metaAds, await bigQuery(scenario), [
    { provider: 'bigquery', fault: 'access_denied' },
    { provider: 'meta-ads', fault: 'revoke' },
  ]);
  const microsoft = await runThrough(scenario, microsoftAds, mixpanel(scenario), [
    { provider: 'mixpanel', fault: 'revoke' },
    { provider: 'microsoft-ads', fault: 'revoke' },
  ]);
  return [...meta, ...microsoft];
}
