import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { aMember, type Member } from '../../../test/teams.js';
import type { Mail } from '../../core/outbox/mail.js';
import { Secrets } from '../../core/encryption/secrets.js';
import { WarnExpiringKeys } from './warn-expiring-keys.js';

let app: TestApp;
let organization: Organization;
let maker: Member;
let keyId: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  maker = await aMember(app, organization, 'admin');
  const body = { name: 'Nightly export', role: 'viewer' };
  keyId = expectStatus(await maker.call.post<{ apiKey: { id: string } }>(`${organization.path}/api-keys`, body), 201).body.apiKey
    .id;
});

const expiresInDays = (days: number) =>
  app.database.query(
    `update api_keys set created_at = now() - interval '300 days', expires_at = now() + make_interval(days => $2) where id = $1`,
    [keyId, days],
  );
const night = () => app.get(WarnExpiringKeys).warn();
async function warnings(): Promise<Mail[]> {
  const rows = await app.database.query<{ content: string }>(
    `select content from outbox_messages where organization_id = $1 and name = 'api-key-expires' order by id`,
    [organization.id],
  );
  return rows.map(({ content }) => app.get(Secrets).unwrap('outbox', content) as Mail);
}

describe('no warning is mailed for a key', () => {
  it('that expires in more than 30 days, has expired, or is revoked', async () => {
    await expiresInDays(31);
    await night();
    await expiresInDays(-1);
    await night();
    await expiresInDays(12);
    expectStatus(await organization.call.delete(`${organization.path}/api-keys/${keyId}`), 204);
    await night();
    expect(await warnings()).toEqual([]);
  });

  it('whose creator was removed, or whose organization was deleted', async () => {
    await expiresInDays(12);
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    await night();
    expectStatus(await organization.call.post(`${organization.path}/restore`), 200);
    expectStatus(await organization.call.delete(`${organization.path}/members/${maker.user.uid}`), 204);
    await night();
    expect(await warnings()).toEqual([]);
  });

  it('to an address that is not verified, until it is', async () => {
    const verify = (isVerified: boolean) =>
      app.database.query('update users set is_email_verified = $2 where uid = $1', [organization.owner.uid, isVerified]);
    await expiresInDays(12);
    await verify(false);
    await night();
    expect((await warnings()).map(({ to }) => to)).toEqual([maker.user.email]);
    await verify(true);
    await night();
    expect((await warnings()).slice(1).map(({ to }) => to)).toEqual([organization.owner.email]);
  });

  it('30 days ahead when its lifetime is shorter', async () => {
    await app.database.query(`update api_keys set expires_at = created_at + interval '20 days' where id = $1`, [keyId]);
    await night();
    expect(await warnings()).toEqual([]);
  });
});

it('mails the creator and the owners once 30 days and once 7 days before the expiry, over several runs and workers', async () => {
  await aMember(app, organization, 'admin');
  const recipients = [maker.user.email, organization.owner.email].toSorted();
  await expiresInDays(30);
  await Promise.all([night(), night()]);
  await expiresInDays(20);
  await night();
  const first = await warnings();
  expect(first.map(({ to }) => to).toSorted()).toEqual(recipients);
  await expiresInDays(7);
  await night();
  await night();
  expect(
    (await warnings())
      .slice(2)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(recipients);
});

it('the mail contains the key’s name, its expiry and a link to the API keys', async () => {
  await expiresInDays(12);
  await night();
  const mails = await warnings();
  const mail = mails.find(({ to }) => to === organization.owner.email);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.now() + 12 * 86_400_000);
  expect(mail?.subject).toBe(`The API key Nightly export expires on ${day}`);
  expect(mail?.paragraphs.join(' ')).toContain(maker.user.email);
  expect(mail?.button.url).toContain(`${organization.id}/settings?tab=api-keys`);
  expect(mails.find(({ to }) => to === maker.user.email)?.paragraphs.join(' ')).toContain('created by you');
});
