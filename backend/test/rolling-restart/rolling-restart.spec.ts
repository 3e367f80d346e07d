import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database.js';
import { eventually } from '../factories.js';
import { testSettings } from '../settings.js';
import { tokenFor } from '../http.js';
import { ApiProcess } from './api-process.js';
import { LoadBalancer } from './load-balancer.js';

/** `ROLLING_RESTARTS=20` takes two minutes. */
const RESTARTS = Number(process.env['ROLLING_RESTARTS'] ?? 4);
const CLIENTS = 2;
const CHECK_MS = 200;

let database: TestDatabase;
let processes: ApiProcess[];
let balancer: LoadBalancer;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = testSettings(database.url, { SHUTDOWN_DELAY_SECONDS: '2' });
  processes = [await ApiProcess.create(settings), await ApiProcess.create(settings)];
  await Promise.all(processes.map((one) => one.start()));
  balancer = new LoadBalancer(processes, CHECK_MS);
  url = await balancer.start();
});
afterAll(async () => {
  balancer?.stop();
  await Promise.all(processes?.map((one) => one.stop()) ?? []);
  await database?.stop();
});

const user = { uid: 'rolling', email: 'rolling@example.com' };
const headers = { authorization: `Bearer ${tokenFor(user)}`, 'content-type': 'application/json' };

async function send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, text: await response.text() };
}

it(`${RESTARTS} restarts of two API processes under load fail no request`, async () => {
  await eventually(
    () => send('POST', '/api/getOrSaveUser', { ...user, fullName: 'Rolling' }),
    ({ status }) => status === 200,
  );
  const created = await send('POST', '/api/createOrganization', { companyName: 'Northwind', userId: user.uid });
  const { organizationId } = JSON.parse(created.text) as { organizationId: string };
  const paths = [`/api/v1/organizations/${organizationId}/connections`, `/api/v1/organizations/${organizationId}/members`];
  const statuses: number[] = [];
  let isOver = false;
  const client = async (number: number) => {
    for (let turn = number; !isOver; turn++) {
      const path = paths[turn % 2] ?? '';
      const { status } =
        turn % 5 === 0 ? await send('POST', '/api/getOrSaveUser', { ...user, fullName: 'Rolling' }) : await send('GET', path);
      statuses.push(status);
    }
  };
  const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  for (let restart = 0; restart < RESTARTS; restart++) {
    const one = processes[restart % 2] as ApiProcess;
    await one.stop();
    await one.start();
    await eventually(
      () => Promise.resolve(balancer.uses(one)),
      (isUsed) => isUsed,
    );
  }
  isOver = true;
  await load;
  process.stdout.write(`${statuses.length} requests during ${RESTARTS} restarts\n`);
  expect(statuses.length).toBeGreaterThan(RESTARTS * 50);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
