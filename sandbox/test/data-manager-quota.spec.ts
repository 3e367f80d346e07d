import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDestination, dataManagerScope, problemOf, startDataManager } from './data-manager.ts';
import { startGoogle } from './google.ts';

let google: Awaited<ReturnType<typeof startDataManager>>;
beforeAll(async () => void (google = await startDataManager()));
afterAll(() => google.close());

describe('the quota of a project', () => {
  const settings = (values: object) => google.admin('data-manager/settings', values);
  afterEach(() => settings({ requestsPerMinute: 100_000, requestsPerDay: 100_000 }));
  /** The client belongs to a project of its own. */
  const tokenOf = async (client: string): Promise<string> => {
    const code = await google.code('demo@example.com', [dataManagerScope], { client_id: client, scope: dataManagerScope });
    return (await google.exchange(code, { client_id: client })).body.access_token;
  };

  it.each(['requestsPerMinute', 'requestsPerDay'])('%s is counted separately for reads and writes', async (limit) => {
    const [token, otherToken] = await Promise.all([tokenOf(limit), tokenOf(`other ${limit}`)]);
    await settings({ [limit]: 2 });
    const body = { destinations: [aDestination()], events: [await google.anEvent()], validateOnly: true };
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await google.ingestBody(body, token)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await google.ingestBody(body, token);
    expect(problemOf(refused)).toBe('RESOURCE_EXHAUSTED RATE_LIMIT_EXCEEDED');
    expect(String(refused.body.error?.details?.[0]?.metadata?.quota_limit_value)).toBe('2');
    expect((await google.status('x', token)).status).toBe(400);
    expect((await google.ingestBody(body, otherToken)).status).toBe(200);
  });

  it('is 300 a minute and 100,000 a day unless it is changed', async () => {
    const other = await startGoogle();
    const { body } = await other.admin('data-manager/settings', {});
    expect(body).toEqual({ requestsPerMinute: 300, requestsPerDay: 100_000, processingSeconds: 1_200 });
    await other.close();
  });

  it.each([{ requestsPerHour: 1 }, { requestsPerMinute: -1 }, { processingSeconds: 'x' }])('rejects %j', async (values) => {
    expect((await settings(values)).status).toBe(400);
  });
});
