import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization } from '../../../test/factories.js';
import { tokenFor } from '../../../test/http.js';

let app: TestApp;
const logged: string[] = [];
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  app = await startTestApp({ LOG_LEVEL: 'error' });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.stop();
});

const idFor = async (given?: string): Promise<string | null> => {
  const { headers } = await app.http.withHeaders(given === undefined ? {} : { 'x-request-id': given }).get('/healthz');
  return headers.get('x-request-id');
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('X-Request-Id', () => {
  it.each([
    ['a control character', 'a\tb'],
    ['a character outside ASCII', 'caf\u00e9'],
    ['more than 200 characters', 'x'.repeat(201)],
  ])('is replaced if it has %s', async (_, given) => expect(await idFor(given)).toMatch(UUID));

  it('is created for a request without one', async () => expect(await idFor()).toMatch(UUID));

  it.each(['1', 'Root=1-5759e988-bd862e3fe1be46a994272793', 'job #7, step 2/3', 'a:b|c', 'x'.repeat(200)])(
    'is kept if it is %s',
    async (given) => expect(await idFor(given)).toBe(given),
  );

  it('is part of an error response', async () => {
    const { body } = await app.http.withHeaders({ 'x-request-id': 'order:7' }).get('/api/v1/me');
    expect(body).toMatchObject({ status: 401, requestId: 'order:7' });
  });

  it.each([
    ['the API', (path: string) => `${path}/apps?limit=77`, (path: string) => `${path}/apps`],
    ['the page of a share link', () => `/reconnect/${'s'.repeat(43)}`, () => '/reconnect/***'],
  ])('leads to the entry of an unexpected error in the log: %s', async (_where, urlOf, loggedOf) => {
    const { path, owner } = await anOrganization(app);
    logged.length = 0;
    await app.database.query('alter table apps rename to apps_elsewhere');
    const headers = { authorization: `Bearer ${tokenFor(owner)}` };
    const { status, body } = await app.http.withHeaders(headers).get(urlOf(path));
    await app.database.query('alter table apps_elsewhere rename to apps');
    expect({ status, detail: body['detail'] }).toEqual({ status: 500, detail: expect.stringContaining('request id') as string });
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        msg: 'request failed',
        err: { message: expect.stringContaining('apps') as string, stack: expect.any(String) as string },
        req: { id: body['requestId'], method: 'GET', path: loggedOf(path) },
      },
    ]);
    expect(logged.join('')).not.toMatch(/limit|s{43}/);
  });
});
