import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, expectStatus, type Organization as TestOrganization } from '../../test/factories.js';
import { aMember, aSuperAdmin } from '../../test/teams.js';
import type { Organization } from './organization-settings.dto.js';

let app: TestApp;
let first: TestOrganization;
let second: TestOrganization;
let call: TestOrganization['call'];

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  first = await anOrganization(app);
  second = await anOrganization(app, first.owner);
  call = first.call;
});

const choose = (organization: TestOrganization, isDefault: boolean, by = call) =>
  by.patch<Organization>(`${organization.path}/membership`, { isDefault });
const defaults = async (by = call) =>
  Promise.all([first, second].map(async ({ path }) => (await by.get<Organization>(path)).body.isDefault));
const firstOf = async (by = call) =>
  (await by.get<{ organizations: { organizationId: string }[] }>('/api/getOrganizationIds')).body.organizations[0]
    ?.organizationId;

it('a member chooses a default organization, which replaces the previous one and is listed first', async () => {
  expect(await defaults()).toEqual([false, false]);
  for (const [chosen, expected] of [
    [second, [false, true]],
    [first, [true, false]],
    [second, [false, true]],
  ] as const) {
    expect(expectStatus(await choose(chosen, true), 200).body).toMatchObject({ id: chosen.id, isDefault: true });
    expect(await defaults()).toEqual(expected);
    expect(await firstOf()).toBe(chosen.id);
  }
  expectStatus(await choose(first, false), 200);
  expect(await defaults()).toEqual([false, true]);
  expect(expectStatus(await choose(second, false), 200).body).toMatchObject({ isDefault: false });
  expect(await defaults()).toEqual([false, false]);
});

it('a viewer chooses for themselves only', async () => {
  const viewer = await aMember(app, second, 'viewer');
  expectStatus(await choose(first, true), 200);
  expect(expectStatus(await choose(second, true, viewer.call), 200).body).toMatchObject({ isDefault: true, role: 'viewer' });
  expect(await defaults()).toEqual([true, false]);
  expectStatus(await choose(first, true, viewer.call), 404);
  expectStatus(await viewer.call.patch(`${second.path}/membership`, { isDefault: true, userId: first.owner.uid }), 400);
});

it('concurrent choices leave one default organization', async () => {
  const choices = Array.from({ length: 10 }, (_, index) => choose(index % 2 ? first : second, true));
  for (const answer of await Promise.all(choices)) expectStatus(answer, 200);
  expect((await defaults()).filter(Boolean)).toHaveLength(1);
});

it('platform staff on a visit, and API keys, cannot choose it', async () => {
  const staff = app.http.as(await aSuperAdmin(app));
  expectStatus(await choose(first, true, staff), 404);
  const body = { name: 'Import', role: 'admin' };
  const key = expectStatus(await call.post<{ key: string }>(`${first.path}/api-keys`, body), 201).body.key;
  expectStatus(await choose(first, true, app.http.withHeaders({ authorization: `Bearer ${key}` })), 403);
});
