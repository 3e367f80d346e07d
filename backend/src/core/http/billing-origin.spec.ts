import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.js';

const WEB_APP = 'https://app.example.com';
/** What `POST /billing/customer` of a browser needs leave for. */
const ASKED = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: WEB_APP, BILLING_API_BASE: 'https://billing.example.com' });
}, 60_000);
afterAll(() => app?.stop());

const call = (path: string, method: string, origin: string) =>
  fetch(app.url + path, { method, headers: { origin, ...(method === 'OPTIONS' && ASKED) } });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

describe('billing at another origin', () => {
  it.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com.evil.example.com', 'null'])(
    'may not be called by the browser of a page of %s',
    async (origin) => {
      for (const method of ['OPTIONS', 'POST']) expect(allowed(await call('/billing/customer', method, origin))).toBeNull();
    },
  );

  it('may be asked and called by the web app, and says so with its refusals too', async () => {
    const leave = await call('/billing/customer', 'OPTIONS', WEB_APP);
    expect(leave.status).toBe(204);
    expect(allowed(leave)).toBe(WEB_APP);
    expect(leave.headers.get('access-control-allow-headers')).toMatch(/authorization.*content-type/i);
    expect(leave.headers.get('access-control-allow-methods')).toContain('POST');
    expect(leave.headers.get('access-control-allow-credentials')).toBeNull();
    for (const [method, path] of [
      ['POST', '/billing/customer'],
      ['GET', '/billing/session-validity/a/b'],
    ] as const) {
      const answer = await call(path, method, WEB_APP);
      expect([answer.status, allowed(answer), answer.headers.get('vary')]).toEqual([
        401,
        WEB_APP,
        expect.stringContaining('Origin'),
      ]);
    }
  });

  it('opens nothing else of the server', async () => {
    for (const path of ['/api/v1/me', '/webhooks/stripe', '/billing-other'])
      for (const method of ['OPTIONS', 'GET']) expect(allowed(await call(path, method, WEB_APP))).toBeNull();
  });
});
