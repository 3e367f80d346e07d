import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus } from '../../../test/factories.js';

const EXPIRES_AT = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 86_400_123).toISOString();

let app: TestApp;

beforeAll(async () => {
  vi.stubEnv('PGOPTIONS', '-c timezone=Asia/Tokyo');
  app = await startTestApp();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await app?.stop();
});

it('moments are stored and returned as given when the database server has another time zone', async () => {
  const { call, path } = await anOrganization(app);
  const created = await call.post(`${path}/api-keys`, { name: 'Import', role: 'viewer', expiresAt: EXPIRES_AT });
  expectStatus(created, 201);
  expect(created.body).toMatchObject({ apiKey: { expiresAt: EXPIRES_AT, state: 'expiring' } });
  const [stored] = await app.database.query<{ expiresAt: Date; zone: string }>(
    `select expires_at as "expiresAt", current_setting('timezone') as zone from api_keys`,
  );
  expect({ ...stored, expiresAt: stored?.expiresAt.toISOString() }).toEqual({ expiresAt: EXPIRES_AT, zone: 'Asia/Tokyo' });
});
