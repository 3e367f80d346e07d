import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, type Organization } from '../../../test/factories.js';
import { tokenFor } from '../../../test/http.js';

let app: TestApp;
let organization: Organization;
beforeAll(async () => {
  app = await startTestApp();
  organization = await anOrganization(app);
});
afterAll(() => app?.stop());

/** `fetch` would decompress the body. */
function rawGet(path: string, encodings: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = { authorization: `Bearer ${tokenFor(organization.owner)}`, 'accept-encoding': encodings };
  return new Promise((resolve, reject) => {
    get(`${app.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

describe('a JSON response', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('is compressed with %s and contains the same values', async (encoding, accepted, decompress) => {
    for (const path of ['/api/v1/catalog', '/api/openapi.json']) {
      const plain = await rawGet(path, 'identity');
      expect(plain.headers['content-encoding']).toBeUndefined();
      const { headers, body } = await rawGet(path, accepted);
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringContaining('Accept-Encoding') });
      expect(decompress(body)).toEqual(plain.body);
      expect(body.length).toBeLessThan(plain.body.length / 3);
    }
  });

  it('of a few bytes is not compressed', async () => {
    const { headers, body } = await rawGet('/healthz', 'br');
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.length).toBeGreaterThan(0);
  });
});

it('an event stream is not compressed, so that each event arrives at once', async () => {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${tokenFor(organization.owner)}`, 'accept-encoding': 'br' };
  const stream = await fetch(`${app.url}${organization.path}/events`, { headers, signal: ending.signal });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  expect(stream.headers.get('content-encoding')).toBeNull();
  ending.abort();
});

it('a file of the API documentation may be stored, and is validated again', async () => {
  const address = `${app.url}/api/docs/swagger-ui.css`;
  const first = await fetch(address);
  const again = await fetch(address, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect([first.status, again.status]).toEqual([200, 304]);
  for (const { headers } of [first, again]) expect(headers.get('cache-control')).toBe('no-cache');
});
