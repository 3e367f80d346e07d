import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { type Caller, tokenFor } from '../../test/http.js';
import { Database } from '../core/database/database.js';
import { type Attempt, IdempotentCalls } from './idempotent-calls.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

const withKey = (key: string): Caller =>
  app.http.withHeaders({ authorization: `Bearer ${tokenFor(organization.owner)}`, 'idempotency-key': key });
const createApp = (key: string, displayName = 'Search') =>
  withKey(key).post(`${organization.path}/apps`, { provider: 'google_ads', displayName });
const appsOf = async (): Promise<number> =>
  (await organization.call.get<{ items: object[] }>(`${organization.path}/apps`)).body.items.length;

const attemptOf = async (key: string): Promise<Attempt> => {
  const start = await app.get(IdempotentCalls).begin('caller', key, 'hash');
  if ('response' in start) throw new Error(`${key} has a response`);
  return start.attempt;
};

/** Lets the database reject rows of the table that meet the condition. */
const failOn = (table: string, condition: string) =>
  app.database.query(`
    create or replace function fail_on_${table}() returns trigger language plpgsql as
      $$ begin if ${condition} then raise exception 'rejected by the test'; end if; return new; end $$;
    create or replace trigger fail before insert or update on ${table} for each row execute function fail_on_${table}();
  `);

describe('an Idempotency-Key', () => {
  it('is rejected for another body, for another path and when it is malformed', async () => {
    expectStatus(await createApp('first'), 201);
    expect(expectStatus(await createApp('first', 'Other'), 422).body['code']).toBe('idempotency.key_reused');
    const elsewhere = await withKey('first').post(`${organization.path}/api-keys`, { name: 'Job', role: 'viewer' });
    expect(expectStatus(elsewhere, 422).body['code']).toBe('idempotency.key_reused');
    expectStatus(await createApp('x'.repeat(256)), 400);
    expectStatus(await createApp('with space'), 400);
    expect(await appsOf()).toBe(1);
  });

  it('returns the first response for a repeated request, which is not executed', async () => {
    const first = expectStatus(await createApp('again'), 201);
    const second = expectStatus(await createApp('again'), 201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(`${organization.path}/apps/${String(first.body['id'])}`);
    expect(await appsOf()).toBe(1);
  });

  it('executes one of 20 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => createApp('race')));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await appsOf()).toBe(1);
  });

  it('executes one request, however long it takes', async () => {
    const create = () => withKey('slow').post(`${organization.path}/apps`, { provider: 'custom' });
    const lock = await app.get(Database).pool.connect();
    await lock.query('begin');
    await lock.query('select from organizations where id = $1 for no key update', [organization.id]);
    const first = create();
    const age = (sign: '-' | '+') =>
      app.database.query(
        `update idempotency_keys set started_at = started_at ${sign} interval '61 seconds' where key = 'slow' returning key`,
      );
    await eventually(
      () => age('-'),
      (rows) => rows.length === 1,
    );
    const second = await create();
    await age('+');
    await lock.query('rollback');
    lock.release();
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency.in_progress' } });
    expectStatus(await first, 201);
    expect(await appsOf()).toBe(1);
  });

  it('keeps the response of the attempt that replaced one of a crashed process', async () => {
    const calls = app.get(IdempotentCalls);
    const crashed = await attemptOf('taken over');
    await app.database.query(
      `update idempotency_keys set started_at = started_at - interval '6 minutes' where key = 'taken over'`,
    );
    const second = await attemptOf('taken over');
    await calls.remove(crashed);
    await calls.finish(crashed, { status: 201, body: 'first' });
    await calls.finish(second, { status: 201, body: 'second' });
    expect(await calls.begin('caller', 'taken over', 'hash')).toEqual({ response: { status: 201, body: 'second' } });
  });

  it('can be used by two callers independently', async () => {
    expectStatus(await createApp('shared'), 201);
    const other = await anOrganization(app);
    const call = app.http.withHeaders({ authorization: `Bearer ${tokenFor(other.owner)}`, 'idempotency-key': 'shared' });
    expectStatus(await call.post(`${other.path}/apps`, { provider: 'google_ads' }), 201);
  });

  it('can be reused after a rejected request', async () => {
    const create = (name: string) => withKey('corrected').post(`${organization.path}/api-keys`, { name, role: 'viewer' });
    expectStatus(await create(''), 400);
    expectStatus(await create('Job'), 201);
  });

  describe('whose first request failed', () => {
    const repeated = async (key: string) => expectStatus(await createApp(key), 409).body['code'];

    it('is executed again if nothing was stored', async () => {
      await failOn('apps', 'true');
      expectStatus(await createApp('rolled-back'), 500);
      await failOn('apps', 'false');
      expectStatus(await createApp('rolled-back'), 201);
      expect(await appsOf()).toBe(1);
    });

    it('is not executed again if its change was stored', async () => {
      const calls = app.get(IdempotentCalls);
      const attempt = await attemptOf('failed');
      await calls.markStored((text, values) => app.database.query(text, values), attempt);
      await calls.fail(attempt);
      await expect(attemptOf('failed')).rejects.toMatchObject({ code: 'idempotency.outcome_unknown' });
    });

    it('is not executed again if its response could not be stored', async () => {
      await failOn('idempotency_keys', 'new.status = 201');
      expectStatus(await createApp('stored'), 201);
      await failOn('idempotency_keys', 'false');
      expect(await repeated('stored')).toBe('idempotency.outcome_unknown');
      expect(await appsOf()).toBe(1);
    });

    it('is not executed again if its process crashed after its change was stored', async () => {
      await failOn('idempotency_keys', 'new.status is not null');
      expectStatus(await createApp('crashed'), 201);
      await failOn('idempotency_keys', 'false');
      await app.database.query(
        `update idempotency_keys set started_at = started_at - interval '6 minutes' where key = 'crashed'`,
      );
      expect(await repeated('crashed')).toBe('idempotency.outcome_unknown');
      expect(await appsOf()).toBe(1);
    });

    it('returns its response if only the confirmation of storing it was lost', async () => {
      const calls = app.get(IdempotentCalls);
      const attempt = await attemptOf('confirmed');
      await calls.finish(attempt, { status: 201, body: 'created' });
      await calls.fail(attempt);
      expect(await calls.begin('caller', 'confirmed', 'hash')).toEqual({ response: { status: 201, body: 'created' } });
    });
  });

  it('stores no change of an attempt that another one has replaced', async () => {
    const attempt = await attemptOf('replaced');
    const age = `update idempotency_keys set started_at = started_at - interval '6 minutes' where key = 'replaced'`;
    await app.database.query(age);
    await attemptOf('replaced');
    const mark = app.get(IdempotentCalls).markStored((text, values) => app.database.query(text, values), attempt);
    await expect(mark).rejects.toThrow('has replaced this one');
  });

  it('stores the response encrypted', async () => {
    const { body } = expectStatus(
      await withKey('secret').post(`${organization.path}/api-keys`, { name: 'Job', role: 'viewer' }),
      201,
    );
    const rows = await app.database.query('select k::text from idempotency_keys k');
    expect(JSON.stringify(rows)).not.toContain(String(body['key']).slice(4));
  });

  it('stores no hash by which a password in the request can be guessed', async () => {
    const path = `${organization.path}/apps`;
    const body = { provider: 'google_ads', displayName: 'Search' };
    expectStatus(await withKey('guessed').post(path, body), 201);
    const [row] = await app.database.query<{ hash: string }>(
      `select request_hash as hash from idempotency_keys where key = 'guessed'`,
    );
    const guess = createHash('sha256')
      .update(JSON.stringify(['POST', path, body]))
      .digest('hex');
    expect(row?.hash).toHaveLength(guess.length);
    expect(row?.hash).not.toBe(guess);
  });

  it('expires after 24 hours', async () => {
    expectStatus(await createApp('old'), 201);
    await app.database.query(`update idempotency_keys set started_at = now() - interval '25 hours' where key = 'old'`);
    expectStatus(await createApp('old', 'Other'), 201);
    expect(await appsOf()).toBe(2);
  });
});
