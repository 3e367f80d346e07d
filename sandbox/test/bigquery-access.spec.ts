import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anotherKey, errorOf, project, scope, startBigQuery } from './bigquery.ts';
import { Google } from './google.ts';

let bigQuery: Awaited<ReturnType<typeof startBigQuery>>;
beforeAll(async () => void (bigQuery = await startBigQuery()));
afterEach(() => bigQuery.admin('faults', undefined, 'DELETE'));
afterAll(() => bigQuery.close());

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const description = async (claims: object, change: object = {}) => {
  const { status, body } = await bigQuery.requestToken({ ...(await bigQuery.keyFile()), ...change }, claims);
  return `${status} ${String(body.error)}: ${String(body.error_description)}`;
};

describe('a token for a service account', () => {
  it('is rejected for another key', async () => {
    expect(await description({}, { private_key: anotherKey() })).toBe('400 invalid_grant: Invalid JWT Signature.');
    expect(await description({}, { private_key_id: 'another' })).toBe('400 invalid_grant: Invalid JWT Signature.');
  });

  it('is rejected for a missing or deleted account', async () => {
    const unknown = '400 invalid_grant: Invalid grant: account not found';
    expect(await description({ iss: 'nobody@northwind-marketing.iam.gserviceaccount.com' })).toBe(unknown);
    await bigQuery.fault('delete_account');
    expect(await description({})).toBe(unknown);
  });

  it.each([
    ['over', { iat: -7_200, exp: -3_600 }],
    ['still to come', { iat: 900, exp: 1_800 }],
    ['longer than an hour', { iat: 0, exp: 3_601 }],
  ])('is rejected when the time of the assertion is %s', async (_, { iat, exp }) => {
    expect(await description({ iat: nowSeconds() + iat, exp: nowSeconds() + exp })).toMatch(
      /^400 invalid_grant: Invalid JWT: Token must be/,
    );
  });

  it('is rejected for another audience, without a scope or when invalid', async () => {
    expect(await description({ aud: 'https://oauth2.googleapis.com/token' })).toContain('Failed audience check');
    expect(await description({ scope: '' })).toMatch(/^400 invalid_scope/);
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' });
    expect((await fetch(`${bigQuery.url}/bigquery-api/token`, { method: 'POST', body })).status).toBe(400);
  });

  it('gives access for an hour, and none without its scope', async () => {
    const { status, body } = await bigQuery.requestToken(await bigQuery.keyFile());
    expect([status, body.token_type, body.expires_in, body.scope]).toEqual([200, 'Bearer', 3_599, undefined]);
    expect((await bigQuery.call('GET', `${project}/datasets`)).status).toBe(200);
    const other = await bigQuery.requestToken(await bigQuery.keyFile(), { scope: 'https://www.googleapis.com/auth/adwords' });
    const refused = await bigQuery.call('GET', `${project}/datasets`, undefined, {
      authorization: `Bearer ${String(other.body.access_token)}`,
    });
    expect(errorOf(refused)).toBe('403 insufficientPermissions');
  });

  it('is masked in the log, as is the assertion', async () => {
    await bigQuery.signIn();
    const { body } = await bigQuery.admin('requests?provider=bigquery');
    expect(JSON.stringify(body)).toContain('assertion=***');
    expect(JSON.stringify(body)).not.toMatch(/ya29|eyJ/);
  });
});

describe('authentication', () => {
  it('returns 401 without a token, with an invalid one and with an expired one', async () => {
    for (const authorization of ['', 'Bearer made-up']) {
      expect(errorOf(await bigQuery.call('GET', `${project}/datasets`, undefined, { authorization }))).toBe('401 authError');
    }
    await bigQuery.fault('expire_token');
    expect(errorOf(await bigQuery.call('GET', `${project}/datasets`))).toBe('401 authError');
    await bigQuery.signIn();
    expect((await bigQuery.call('GET', `${project}/datasets`)).status).toBe(200);
  });

  it('accepts a user who granted the scope, until it is revoked', async () => {
    const google = new Google(bigQuery.url);
    const tokens = (await google.exchange(await google.code('demo@example.com', [scope], { scope: `openid email ${scope}` })))
      .body;
    const list = () => bigQuery.call('GET', `${project}/datasets`, undefined, { authorization: `Bearer ${tokens.access_token}` });
    expect((await list()).status).toBe(200);
    await fetch(`${bigQuery.url}/google-ads/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.refresh_token }),
    });
    expect(errorOf(await list())).toBe('401 authError');
    const unticked = await google.signIn('demo@example.com');
    const refused = await bigQuery.call('GET', `${project}/datasets`, undefined, {
      authorization: `Bearer ${unticked.access_token}`,
    });
    expect(errorOf(refused)).toBe('403 insufficientPermissions');
  });

  it('allows only what the roles permit', async () => {
    await bigQuery.makeDataset('roles');
    await bigQuery.signIn('viewer');
    expect(errorOf(await bigQuery.makeDataset('other'))).toBe('403 accessDenied');
    expect(errorOf(await bigQuery.makeTable('roles', 't'))).toBe('403 accessDenied');
    expect((await bigQuery.query('SELECT 1')).status).toBe(200);
    await bigQuery.signIn('storage');
    expect((await bigQuery.makeTable('roles', 't')).status).toBe(200);
    const refused = await bigQuery.query('SELECT 1');
    expect(refused.body.error?.message).toContain('bigquery.jobs.create permission in project northwind-marketing');
    await bigQuery.signIn();
    expect(errorOf(await bigQuery.call('GET', 'no-such-project/datasets'))).toBe('404 notFound');
  });
});
