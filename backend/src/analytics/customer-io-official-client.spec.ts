import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CustomerIORequestError, TrackClient } from 'customerio-node';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { anOrganization, aUser, eventually, expectStatus } from '../../test/factories.js';

interface LoggedRequest {
  method: string;
  path: string;
  requestBody?: string;
  status: number;
}

interface Arrived {
  messages: { kind: string; customerId: string; name?: string; isDuplicate: boolean; data: Record<string, unknown> }[];
  people: Record<string, Record<string, unknown>>;
}

let sandbox: Sandbox;
let app: TestApp;
let client: TrackClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  const url = `${sandbox.url}/customer-io/api/v1`;
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url), CUSTOMER_IO_URL: url });
  client = clientWith('key');
});
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

const clientWith = (key: string, maxRetries = 0): TrackClient =>
  new TrackClient('site', key, {
    url: `${sandbox.url}/customer-io/api/v1`,
    retry: { maxRetries, minTimeoutMs: 5, respectRetryAfter: false },
  });
const fault = (name: string, parameters: object = {}) =>
  sandbox.addFault({ provider: 'customer-io', fault: name, ...parameters });
async function getJson<Body>(path: string): Promise<Body> {
  return (await (await fetch(`${sandbox.url}/admin/${path}`)).json()) as Body;
}
const requestsOf = async (customerId: string): Promise<LoggedRequest[]> =>
  (await getJson<{ requests: LoggedRequest[] }>('requests?provider=customer-io&limit=2000')).requests.filter(({ path }) =>
    path.includes(`/customers/${customerId}`),
  );
const arrived = (customerId: string): Promise<Arrived> => getJson(`customer-io/messages?customerId=${customerId}`);
const failureOf = (call: Promise<unknown>): Promise<unknown> => call.then(String, (error: unknown) => error);

describe("Customer.io's client", () => {
  it('sends the same requests as the product', async () => {
    const owner = await aUser(app);
    const organization = await anOrganization(app, owner);
    const traits = { plan: 'trial', seats: 3, is_active: true };
    expectStatus(await organization.call.post('/api/customerio/identify', { userId: owner.uid, traits }), 200);
    const own = await eventually(
      () => requestsOf(owner.uid),
      (requests) => requests.length >= 5,
    );
    for (const { method, path, requestBody = '{}', status } of own) {
      expect(status).toBe(200);
      const before = (await requestsOf(owner.uid)).length;
      const body = JSON.parse(requestBody) as { name: string };
      await (method === 'PUT' ? client.identify(owner.uid, body) : client.track(owner.uid, body));
      const sent = (await requestsOf(owner.uid)).slice(before);
      expect(sent).toMatchObject([{ method, path, requestBody, status: 200 }]);
    }
    // An event that the client repeats with the same id is a duplicate.
    const { messages } = await arrived(owner.uid);
    const events = messages.filter(({ kind }) => kind === 'event');
    expect(events.filter(({ isDuplicate }) => isDuplicate).map(({ name }) => name)).toEqual(
      events.filter(({ isDuplicate }) => !isDuplicate).map(({ name }) => name),
    );
  });

  it('accepts the sandbox’s success responses, and the sandbox stores the person and events', async () => {
    const id = 'person/1@example.com';
    expect(await client.identify(id, { email: 'person@example.com', created_at: 1_700_000_000 })).toEqual({});
    expect(await client.track(id, { name: 'Source Created', data: { type: 'meta_ads' } })).toEqual({});
    const { messages, people } = await arrived(encodeURIComponent(id));
    expect(people[id]).toEqual({ email: 'person@example.com', created_at: 1_700_000_000 });
    expect(messages).toMatchObject([{ kind: 'identify' }, { kind: 'event', name: 'Source Created', data: { type: 'meta_ads' } }]);
    expect(await client.destroy(id)).toEqual({});
    expect((await arrived('')).people[id]).toBeUndefined();
    expect(await client.suppress(id)).toEqual({});
    expect(await client.trackAnonymous('visitor', { name: 'Visited' })).toEqual({});
  });

  it('reads the message of an error response', async () => {
    const wrongKey = await failureOf(clientWith('wrong').identify('user-1', {}));
    expect(wrongKey).toBeInstanceOf(CustomerIORequestError);
    expect(wrongKey).toMatchObject({ statusCode: 401, message: expect.stringContaining('Unauthorized request') });
    const milliseconds = await failureOf(client.identify('user-1', { created_at: 1_799_000_000_000 }));
    expect(milliseconds).toMatchObject({ statusCode: 400, message: expect.stringContaining('created_at') });
  });

  it.each([
    ['server_error', 500],
    ['throttle', 429],
    ['unauthorized', 401],
  ])('reports the fault %s as an error', async (name, statusCode) => {
    await fault(name, { retryAfterSeconds: 7 });
    const failure = await failureOf(client.identify('user-2', {}));
    expect(failure).toBeInstanceOf(CustomerIORequestError);
    expect(failure).toMatchObject({ statusCode });
    if (name === 'throttle') expect(failure).toMatchObject({ response: { headers: { 'retry-after': '7' } } });
  });

  it('retries an event after a lost response, and the event counts once', async () => {
    await fault('fail_after_applying', { times: 1 });
    const id = '01JDAZ5V8W7C8RV1T3Y2QF9K4M';
    await clientWith('key', 2).track('user-3', { name: 'Source Created', id });
    const { messages } = await arrived('user-3');
    expect(messages.map(({ isDuplicate }) => isDuplicate)).toEqual([false, true]);
  });
});
