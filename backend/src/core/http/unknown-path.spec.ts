import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const detailOf = async (path: string, method = 'GET') => {
  const answer = await fetch(app.url + path, { method });
  const { code, detail } = (await answer.json()) as { code: string; detail: string };
  return { status: answer.status, code, detail };
};

describe('the error for an unknown path', () => {
  it.each([
    ['GET', '/api/v1/nowhere', '/api/v1/nowhere'],
    ['POST', '/api/getNothing', '/api/getNothing'],
    ['GET', '/api/v1/nowhere?token=secret', '/api/v1/nowhere'],
    ['GET', '/api/%3Cb%3E', '/api/%3Cb%3E'],
  ])('has the path without its query: %s %s', async (method, path, shown) => {
    expect(await detailOf(path, method)).toEqual({ status: 404, code: 'not_found', detail: `Page not found: ${shown}` });
  });

  it('shows at most 200 characters of the path', async () => {
    const { detail } = await detailOf(`/api/v1/${'a'.repeat(3_000)}`);
    expect(detail).toBe(`Page not found: /api/v1/${'a'.repeat(192)}…`);
  });
});
