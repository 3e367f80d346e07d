import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, aUser, eventually, type Organization } from '../../../test/factories.js';
import { freePort, mailsTo, startMailCatcher } from '../../../test/mail-catcher.js';
import { anInvitation } from '../../../test/teams.js';
import { Outbox } from './outbox.js';

let app: TestApp;
let organization: Organization;
let smtpPort: number;

beforeAll(async () => {
  smtpPort = await freePort();
  app = await startTestApp({ ROLE: 'all', SMTP_URL: `smtp://127.0.0.1:${smtpPort}` });
  organization = await anOrganization(app);
});
afterAll(() => app?.stop());

describe('a mail', () => {
  it('is retried after an outage of the mail server and delivered once', async () => {
    const { email } = await aUser(app);
    const invitationId = await anInvitation(organization, email, 'viewer');
    const rowOf = async () =>
      (
        await app.database.query('select m.* from outbox_messages m join invitations i on i.mail_id = m.id where i.id = $1', [
          invitationId,
        ])
      )[0]!;
    const failed = await eventually(rowOf, (row) => row['last_error'] !== null);
    expect(failed).toMatchObject({ state: 'queued', attempts: 1 });
    const mail = await startMailCatcher(smtpPort);
    try {
      await app.database.query('update outbox_messages set next_attempt_at = now() where id = $1', [failed['id']]);
      await Promise.all(Array.from({ length: 5 }, () => app.get(Outbox).deliverDue('mail')));
      const delivered = await eventually(rowOf, (row) => row['state'] === 'delivered');
      expect(delivered).toMatchObject({ attempts: 2, content: null, last_error: null });
      const mails = await mailsTo(mail, email);
      expect(mails).toHaveLength(1);
      expect(mails[0]!.subject).toContain('Northwind');
      const link = `http://localhost:3000/${organization.id}/acceptInvitation/${invitationId}?token=`;
      expect(mails[0]!.text).toContain(link);
      expect(mails[0]!.html).toContain(link);
    } finally {
      await mail.stop();
    }
  });

  it('older than seven days is not sent any more when a mail server becomes available, and newer ones are', async () => {
    const [old, recent] = [await aUser(app), await aUser(app)];
    const [oldId, recentId] = [
      await anInvitation(organization, old.email, 'viewer'),
      await anInvitation(organization, recent.email, 'viewer'),
    ];
    const mailOf = async (invitationId: string) =>
      (
        await app.database.query('select m.* from outbox_messages m join invitations i on i.mail_id = m.id where i.id = $1', [
          invitationId,
        ])
      )[0]!;
    await app.database.query(`update outbox_messages set created_at = now() - interval '7 days 1 hour' where id = $1`, [
      (await mailOf(oldId))['id'],
    ]);
    const mail = await startMailCatcher(smtpPort);
    try {
      await app.database.query(`update outbox_messages set next_attempt_at = now() where state = 'queued'`);
      await app.get(Outbox).deliverDue('mail');
      await eventually(() => mailOf(recentId), (row) => row['state'] === 'delivered'); // prettier-ignore
      const expired = await eventually(() => mailOf(oldId), (row) => row['state'] !== 'queued'); // prettier-ignore
      expect(expired).toMatchObject({
        state: 'failed',
        content: null,
        last_error: 'The mail is too old: it was not sent for 7 days.',
      });
      expect(await mailsTo(mail, recent.email)).toHaveLength(1);
      expect(await mailsTo(mail, old.email)).toHaveLength(0);
    } finally {
      await mail.stop();
    }
  });
});
