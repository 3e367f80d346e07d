import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

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
});
