import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';

const WEB_APP = 'https://app.example.com';
/** Headers of a browser's preflight request for `POST /billing/customer`. */
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: WEB_APP, BILLING_API_BASE: 'https://billing.example.com' });
});
afterAll(() => app?.stop());

const call = (path: string, method: string, origin: string) =>
  fetch(app.url + path, { method, headers: { origin, ...(method === 'OPTIONS' && PREFLIGHT) } });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

describe('billing at another origin', () => {
  it.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com.evil.example.com', 'null'])(
    'cannot be called by pages of %s',
    async (origin) => {
      for (const method of ['OPTIONS', 'POST']) expect(allowed(await call('/billing/customer', method, origin))).toBeNull();
    },
  );

  it('can be called by the web app, with CORS headers also in error responses', async () => {
    const preflight = await call('/billing/customer', 'OPTIONS', WEB_APP);
    expect(preflight.status).toBe(204);
    expect(allowed(preflight)).toBe(WEB_APP);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization.*content-type/i);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
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

  it('allows no other route', async () => {
    for (const path of ['/api/v1/me', '/webhooks/stripe', '/billing-other'])
      for (const method of ['OPTIONS', 'GET']) expect(allowed(await call(path, method, WEB_APP))).toBeNull();
  });
});
