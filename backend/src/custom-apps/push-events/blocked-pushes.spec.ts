import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import type { NewPushKey } from './push-endpoint.dto.js';

let app: TestApp;
let organization: Organization;
let other: Organization;
let key: string;
let address: string;
/** Another process, such as one that imports a configuration. */
let lock: pg.Client;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '3' });
});
afterAll(() => app?.stop());
beforeEach(async () => {
  [organization, other] = [await anOrganization(app), await anOrganization(app)];
  const { body } = await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'custom' });
  const path = `${organization.path}/apps/${body.id}/push/rotate-key`;
  const made = expectStatus(await organization.call.post<NewPushKey>(path), 200).body;
  key = made.key;
  address = new URL(made.endpoint.url).pathname;
  lock = new pg.Client(app.database.url);
  await lock.connect();
  await lock.query('begin');
});
afterEach(() => lock.end());

const push = (count: number) => {
  const call = app.http.withHeaders({ authorization: `Bearer ${key}` });
  const orderIds = Array.from({ length: count }, (_, index) => index + 1);
  return Promise.all(orderIds.map((orderId) => call.post<{ code?: string; detail?: string }>(address, { orderId })));
};
const pushFive = () => push(5);
const waiting = async () =>
  (await app.database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length;

it('pushes do not wait for an import', async () => {
  await lock.query('select from organizations where id = $1 for no key update', [organization.id]);
  expect((await pushFive()).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
});

it('pushes that wait for a lock leave connections to other requests, and get 503 soon', async () => {
  await lock.query('select from push_endpoints where organization_id = $1 for no key update', [organization.id]);
  const pushes = pushFive();
  await eventually(waiting, (count) => count > 0);
  for (let count = 0; count < 5; count += 1) {
    expectStatus(await app.http.withHeaders({}).get('/readyz'), 200);
    expectStatus(await other.call.get(`${other.path}/apps`), 200);
  }
  const answers = await pushes;
  expect(answers.map(({ status, body, headers }) => `${status} ${body.code} ${headers.get('retry-after')}`)).toEqual(
    answers.map(() => '503 push.busy 5'),
  );
  await lock.query('rollback');
  expect((await pushFive()).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
});

it('a push that waits too long for other pushes says so', async () => {
  await lock.query('select from push_endpoints where organization_id = $1 for no key update', [organization.id]);
  const answers = await push(8);
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['503 push.busy']));
  expect(new Set(answers.map(({ body }) => body.detail))).toEqual(
    new Set([
      'The app is being changed. No event of this call was stored.',
      'Too many calls of this organization arrived at the same time. No event of this call was stored.',
    ]),
  );
});
