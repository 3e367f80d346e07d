import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.js';
import { anOrganization, expectStatus, type Organization } from './factories.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
  organization = await anOrganization(app);
});
afterAll(() => app?.stop());

const WRONG = [
  ['a month', '2026-11'],
  ['a week', '2027-W10'],
  ['a day of the year', '2027-060'],
  ['an hour', '2026-11-29T10'],
  ['the year 0', '0000-01-01'],
  ['a moment before the year 1', '0001-01-01T00:00:00+14:00'],
  ['a moment after the year 9999', '9999-12-31T23:59:59-12:00'],
  ['a day that does not exist', '2026-02-30'],
  ['an offset that does not exist', '2026-11-29T10:00:00+23:00'],
] as const;

describe('a time is rejected by the name of its field when it is', () => {
  it.each(WRONG)('%s', async (_, time) => {
    const at = encodeURIComponent(time);
    const { call, path } = organization;
    const answers = await Promise.all([
      call.get(`${path}/audit-events?from=${at}`),
      call.get(`${path}/audit-events?to=${at}`),
      call.get(`${path}/audit-events.csv?from=${at}`),
      call.post(`${path}/api-keys`, { name: 'Job', role: 'viewer', expiresAt: time }),
      call.post(`${path}/conversions`, { name: 'Orders', since: time }),
      call.post(`${path}/configuration/plan`, { conversions: [{ name: 'Orders', since: time }] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    const fields = answers.map(({ body }) => (body['errors'] as { field: string }[]).map(({ field }) => field));
    expect(fields.map((names, index) => names.filter((name) => name.endsWith(NAMES[index]!)).length)).toEqual(NAMES.map(() => 1));
  });
});
const NAMES = ['from', 'to', 'from', 'expiresAt', 'since', 'since'];

it('a time may be a day or a moment with an offset', async () => {
  const { call, path } = organization;
  for (const from of ['2026-11-29', '2026-11-29T10:00Z', '2026-11-29T10:00:00.123+05:30', '2026-11-29T10:00:00'])
    expectStatus(await call.get(`${path}/audit-events?from=${encodeURIComponent(from)}`), 200);
});
