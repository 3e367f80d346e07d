import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorMeanings } from '../../../src/connectors/google-ads/errors.js';
import { googleAdsSource } from '../../../src/connectors/google-ads/index.js';
import { aContext, collect } from '../context.js';
import { errorCodesOf, fieldAt, messageOf } from './protos.js';
import { problemsOf } from '../proto-json.js';
import { startRecordingProxy, type RecordingProxy } from '../recording-proxy.js';
import { startSandbox, type Sandbox } from '../sandbox-process.js';

const northwind = '9001000011';

let sandbox: Sandbox;
let proxy: RecordingProxy;
let token: string;
let queries: { path: string; query: string }[];

beforeAll(async () => {
  sandbox = await startSandbox();
  proxy = await startRecordingProxy(sandbox.url);
  token = (await sandbox.signIn('demo@example.com')).accessToken;
  await readEverything();
  queries = proxy.requests
    .filter(({ path }) => path.endsWith('googleAds:searchStream'))
    .map(({ path, body }) => ({ path, query: (body as { query: string }).query }));
});
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await proxy.stop();
  await sandbox.stop();
});

/** Sends every request that the connector uses. */
async function readEverything(): Promise<void> {
  const settings = { baseUrl: `${proxy.url}/google-ads`, apiVersion: 'v26' };
  const source = googleAdsSource(settings, { accessToken: () => Promise.resolve(token) });
  const account = (await source.listAccounts(aContext())).find(({ externalId }) => externalId === northwind);
  if (!account) throw new Error('the sandbox has no account Northwind DE');
  await source.lookbackDays(aContext(), account);
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  for (const stream of source.streams) await collect(source.read(aContext(), { stream, account, from: day, to: day }), stream);
}

async function ask(path: string, body: object): Promise<{ status: number; json: unknown }> {
  const customer = /customers\/(\d+)/.exec(path)?.[1] ?? '';
  // Northwind DE is reached through its manager, the others directly.
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'login-customer-id': customer === northwind ? '9001000001' : customer,
  };
  const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, json: await answer.json() };
}

/** Names of fields in a query. Resources can be fields of a row too. */
const fieldsIn = (query: string): string[] => query.replace(/'[^']*'/g, '').match(/\b[a-z_]+\.[a-z_.]+\b/g) ?? [];

describe("Google's protos contain", () => {
  it('every requested field and resource', () => {
    expect(queries.length).toBeGreaterThan(8);
    const fields = [...new Set(queries.flatMap(({ query }) => fieldsIn(query)))];
    expect(fields).toEqual(
      expect.arrayContaining(['campaign.id', 'segments.date', 'metrics.cost_micros', 'customer_client.level']),
    );
    expect(fields.filter((field) => fieldAt(field) === null)).toEqual([]);
    const resources = queries.map(({ query }) => / FROM ([a-z_]+)/.exec(query)?.[1] ?? query);
    expect(resources.filter((resource) => fieldAt(resource) === null)).toEqual([]);
  });

  it('every error code of the connector', () => {
    const unknown = Object.keys(errorMeanings).filter((name) => {
      const [category = '', code = ''] = name.split('.');
      // Reasons of the API gateway are not part of Google Ads.
      return category !== 'errorInfo' && !errorCodesOf(category)?.includes(code);
    });
    expect(unknown).toEqual([]);
  });

  it.each(['authenticationError', 'authorizationError'])('no code of %s without a meaning of its own', (category) => {
    const codes = (errorCodesOf(category) ?? []).filter((code) => code !== 'UNSPECIFIED' && code !== 'UNKNOWN');
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !(`${category}.${code}` in errorMeanings))).toEqual([]);
  });

  it('no invented field, resource or code', () => {
    expect([fieldAt('campaign.identity'), fieldAt('campaigns'), fieldAt('metrics.cost')]).toEqual([null, null, null]);
    expect(errorCodesOf('quotaError')).not.toContain('QUOTA_USED_UP');
    expect(errorCodesOf('quotasError')).toBeNull();
  });
});

describe('the sandbox returns', () => {
  it('every report in the format of the protos', async () => {
    const type = messageOf('services.SearchGoogleAdsStreamResponse');
    const problems = new Set<string>();
    for (const { path, query } of queries) {
      const { json } = await ask(path, { query, summaryRowSetting: 'SUMMARY_ROW_WITH_RESULTS' });
      for (const chunk of json as unknown[]) problemsOf(type, chunk).forEach((one) => problems.add(one.replace(/\[\d+\]/g, '')));
    }
    expect([...problems]).toEqual([]);
  });

  it.each([
    ['throttle', 429],
    ['server_error', 500],
    ['unavailable', 503],
    ['expire_token', 401],
    ['permission', 403],
    ['not_enabled', 403],
    ['refuse_project', 403],
    ['deadline', 504],
  ])('the error of the fault %s in the format of the protos', async (fault, status) => {
    await sandbox.addFault({ fault, customerId: northwind, mostDays: 0, code: 'SERVICE_ACCESS_DENIED' });
    const { path, query } = queries.at(-1) ?? { path: '', query: '' };
    const answer = await ask(path, { query });
    expect(answer.status).toBe(status);
    expect(failureProblems(answer.json)).toEqual([]);
  });

  it('the error of a wrong query in the format of the protos', async () => {
    const { path } = queries.at(-1) ?? { path: '' };
    for (const query of ['SELECT campaign.nothing FROM campaign', 'SELECT campaign.id', 'SELECT campaign.id FROM nowhere'])
      expect(failureProblems((await ask(path, { query })).json)).toEqual([]);
  });
});

function failureProblems(json: unknown): string[] {
  const [{ error }] = (Array.isArray(json) ? json : [json]) as [{ error: { details?: Record<string, unknown>[] } }];
  return (error.details ?? []).flatMap(({ '@type': type, ...failure }) =>
    String(type).endsWith('GoogleAdsFailure') ? problemsOf(messageOf('errors.GoogleAdsFailure'), failure) : [String(type)],
  );
}

it('detects values that do not match a message', () => {
  const row = { campaign: { id: 1, name: 'A', status: 'RUNNING', nickname: 'B' }, metrics: { clicks: '7' } };
  expect(problemsOf(messageOf('services.GoogleAdsRow'), row)).toEqual([
    'GoogleAdsRow.campaign.id is 1, not int64',
    expect.stringMatching(/campaign.status is "RUNNING", not .*CampaignStatus/),
    'GoogleAdsRow.campaign.nickname is not in Campaign',
  ]);
});
