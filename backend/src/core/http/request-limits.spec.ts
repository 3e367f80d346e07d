import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, aUser, expectStatus, type Organization } from '../../../test/factories.js';
import { type TestUser, tokenFor } from '../../../test/http.js';

let app: TestApp;
let organization: Organization;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  organization = await anOrganization(app);
  token = tokenFor(await aUser(app));
});
afterAll(() => app?.stop());

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(199_000)]);

async function send(body: string | Uint8Array, headers: Record<string, string> = {}, path = '/api/v1/organizations/none/apps') {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: body as string,
  });
  const problem = (await answer.json()) as { code: string; detail: string; status: number };
  return { status: answer.status, code: problem.code, detail: problem.detail, headers: answer.headers };
}

const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));

describe('a JSON body', () => {
  it('of more than 64 kB is rejected with a message that names the limit', async () => {
    const { status, code, detail } = await send(JSON.stringify({ name: 'x'.repeat(64_000) }));
    expect({ status, code, detail }).toEqual({
      status: 413,
      code: 'request.too_large',
      detail: 'The request is larger than 64 kB.',
    });
  });

  it('with a logo is limited to 300 kB', async () => {
    const logo = `data:image/png;base64,${PNG.toString('base64')}`;
    const { version } = (await organization.call.get<{ version: number }>(organization.path)).body;
    expectStatus(await organization.call.patch(organization.path, { logo, version }), 200);
    const answer = await organization.call.patch(organization.path, { logo: 'x'.repeat(300_000), version });
    expect(answer).toMatchObject({ status: 413, body: { detail: 'The request is larger than 300 kB.' } });
  });

  it.each([
    ['5,000 fields', keys(5_000), 'request.invalid', /at most 200 fields/],
    ['5,000 items', `{"a":[${'1,'.repeat(4_999)}1]}`, 'request.invalid', /at most 1,000 items/],
    ['lists that are 500 levels deep', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, 'request.invalid', /at most 32 levels/],
    ['objects that are 500 levels deep', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`, 'request.invalid', /at most 32 levels/],
    [
      '20,000 values in many lists',
      `{"a":[${Array.from({ length: 40 }, () => `[${'1,'.repeat(499)}1]`).join()}]}`,
      'request.invalid',
      /at most 10,000 values/,
    ],
  ])('of %s is rejected before it is parsed', async (_what, body, expected, detail) => {
    const answer = await send(body);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code: expected });
    expect(answer.detail).toMatch(detail);
  });

  it('with brackets in a string does not count as nested', async () => {
    const name = `${'[{"\\'.repeat(200)},:,:`;
    expect((await send(JSON.stringify({ name }))).status).toBe(404);
  });
});

describe('a body in an unsupported format', () => {
  it.each([
    ['an unknown Content-Encoding', { 'content-encoding': 'snappy' }, '{}'],
    ['two encodings', { 'content-encoding': 'gzip, gzip' }, '{}'],
    ['an unknown charset', { 'content-type': 'application/json; charset=utf-99' }, '{}'],
    ['a charset that is not UTF-8', { 'content-type': 'application/json; charset=utf-16' }, Buffer.from('{}', 'utf16le')],
    ['a Latin charset', { 'content-type': 'application/json; charset=iso-8859-1' }, '{}'],
  ])('%s is rejected with 415', async (_what, headers, body) => {
    const { status, code } = await send(body, headers);
    expect({ status, code }).toEqual({ status: 415, code: 'request.unsupported_encoding' });
  });

  it.each([
    ['a broken gzip', { 'content-encoding': 'gzip' }, 'no gzip', 400],
    ['plain text', { 'content-type': 'text/plain' }, '{"name":"x"}', 400],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'companyName=x', 400],
    ['a broken Content-Type', { 'content-type': 'application/json; charset' }, '{', 400],
    ['a gzip bomb', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(20_000_000, ' ')), 413],
  ])('%s is rejected', async (_what, headers, body, expected) => {
    expect((await send(body, headers, '/api/createOrganization')).status).toBe(expected);
  });

  it.each([
    [
      'no Content-Type of JSON',
      { 'content-type': 'application/x-www-form-urlencoded' },
      '{"name":"x"}',
      /Content-Type: application\/json/,
    ],
    ['broken JSON', {}, '{"name":', /body is not valid JSON/],
  ])('with %s gets a response that says so', async (_what, headers, body, detail) => {
    const answer = await send(body, headers);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code: 'request.malformed' });
    expect(answer.detail).toMatch(detail);
  });

  it('with gzip is accepted', async () => {
    const user: TestUser = await aUser(app);
    const headers = { 'content-encoding': 'gzip', authorization: `Bearer ${tokenFor(user)}` };
    const answer = await send(gzipSync(JSON.stringify({ companyName: 'Zip' })), headers, '/api/createOrganization');
    expect(answer.status).toBe(200);
  });
});

describe('every response', () => {
  it('is not cached, including errors', async () => {
    const paths = [organization.path, '/api/v1/me', '/api/v1/none', '/api/v1/policy', '/healthz'];
    for (const path of paths) {
      const { headers } = await organization.call.get(path).catch(() => ({ headers: new Headers() }));
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
    expect((await send('{')).headers.get('cache-control')).toBe('no-store');
  });

  it('is readable by the same origin only and disables browser features', async () => {
    const { headers } = await organization.call.get('/api/v1/me');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    for (const feature of ['camera', 'geolocation', 'microphone', 'payment', 'usb'])
      expect(headers.get('permissions-policy')).toContain(`${feature}=()`);
  });
});

it('an id that is no UUID is named in the response', async () => {
  const { status, body } = await organization.call.get<{ code: string; detail: string }>(
    `${organization.path}/connections/nonsense`,
  );
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'request.malformed' });
  expect(body.detail).toBe('An id in the path is not a UUID.');
});

it('a request without a body needs no Content-Type', async () => {
  const answer = await send('', { 'content-type': 'text/plain' }, `${organization.path}/members/leave`);
  expect(answer.detail).not.toMatch(/Content-Type/);
});

it('a path in the wrong case returns 404', async () => {
  expect((await organization.call.get('/API/v1/me')).status).toBe(404);
  expect((await organization.call.get('/api/v1/RECONNECT/token-of-nobody')).status).toBe(404);
});
