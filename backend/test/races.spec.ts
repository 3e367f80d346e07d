import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, aUser, expectStatus, type Organization } from './factories.js';
import type { Answer, Caller } from './http.js';
import { aMember } from './teams.js';

let sandbox: Sandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

const times = <Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Number of responses by status. */
const countByStatus = (answers: Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>((counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }), {});

const createOrganization = (call: Caller) => call.post('/api/createOrganization', { companyName: 'Northwind' });
const invite = ({ call, path }: Organization, email: string) => call.post(`${path}/invitations`, { email, role: 'viewer' });
const resend = ({ call, path }: Organization, id: string) => call.post(`${path}/invitations/${id}/resend`);

describe('a limit holds for concurrent requests:', () => {
  it('400 invitations by one user in 20 organizations: 200 are sent', async () => {
    const owner = await aUser(app);
    const organizations = await times(20, () => anOrganization(app, owner));
    const answers = await times(400, (index) => invite(organizations[index % 20]!, `guest-${index}@example.com`));
    expect(countByStatus(answers)).toEqual({ 201: 200, 429: 200 });
    expect(answers.find(({ status }) => status === 429)?.body['code']).toBe('invitation.daily_limit');
  });

  it('100 invitations to one organization by two users: 50 are sent', async () => {
    const organization = await anOrganization(app);
    const { call } = await aMember(app, organization, 'admin');
    const senders = [organization, { ...organization, call }];
    // The invitation that added the second sender counts as the first of the day.
    const answers = await times(100, (index) => invite(senders[index % 2]!, `guest-${index}@example.com`));
    expect(countByStatus(answers)).toEqual({ 201: 49, 429: 51 });
  });

  it('50 organizations by one user: 20 are created', async () => {
    const call = app.http.as(await aUser(app));
    const answers = await times(50, () => createOrganization(call));
    expect(countByStatus(answers)).toEqual({ 200: 20, 409: 30 });
  });

  it('20 share links of one app: one is open', async () => {
    const organization = await anOrganization(app);
    const appId = await aConnectedApp(organization);
    const answers = await times(20, () => organization.call.post(`${organization.path}/apps/${appId}/share-link`));
    expect(countByStatus(answers)).toEqual({ 201: 20 });
    const open = await app.database.query(
      'select id from app_share_links where app_id = $1 and used_at is null and revoked_at is null',
      [appId],
    );
    expect(open).toHaveLength(1);
  });
});

it('invitations of one user are counted by mail: a resent one counts again, for the user who resends it', async () => {
  const organization = await anOrganization(app);
  const { call, user } = await aMember(app, organization, 'admin');
  const { body } = expectStatus(await invite(organization, 'guest@example.com'), 201);
  await app.database.query(
    `insert into outbox_messages (id, organization_id, kind, name, user_id)
     select gen_random_uuid(), null, 'mail', 'invitation', $1 from generate_series(1, 199)`,
    [user.uid],
  );
  const asAdmin = { ...organization, call };
  expectStatus(await resend(asAdmin, String(body['id'])), 200);
  expect(expectStatus(await resend(asAdmin, String(body['id'])), 429).body['code']).toBe('invitation.daily_limit');
  expectStatus(await resend(organization, String(body['id'])), 200);
});
