import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, aUser, eventually, type Organization } from '../../test/factories.js';
import { anInvitation } from '../../test/teams.js';
import { Outbox } from './outbox.js';

interface CaughtMail {
  id: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
}

interface MailCatcher {
  url: string;
  smtpUrl: string;
  stop(): Promise<void>;
}

async function startMailCatcher(smtpPort = 0): Promise<MailCatcher> {
  const entry = fileURLToPath(new URL('../../../sandbox/src/mail/main.ts', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MAIL_SMTP_PORT: String(smtpPort), MAIL_HTTP_PORT: '0', NODE_OPTIONS: '' },
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { ...(JSON.parse(line) as { url: string; smtpUrl: string }), stop };
}

async function mailsTo(mail: MailCatcher, address: string): Promise<CaughtMail[]> {
  const answer = await fetch(`${mail.url}/api/messages?to=${encodeURIComponent(address)}`);
  const { messages } = (await answer.json()) as { messages: { id: string }[] };
  return Promise.all(
    messages.map(
      async ({ id }) => (await (await fetch(`${mail.url}/api/messages/${encodeURIComponent(id)}`)).json()) as CaughtMail,
    ),
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

let app: TestApp;
let organization: Organization;
let smtpPort: number;

beforeAll(async () => {
  smtpPort = await freePort();
  app = await startTestApp({ ROLE: 'all', SMTP_URL: `smtp://127.0.0.1:${smtpPort}` });
  organization = await anOrganization(app);
}, 60_000);
afterAll(() => app?.stop());

describe('a mail', () => {
  it('waits out an outage of the mail server, and then arrives once', async () => {
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
      await Promise.all(Array.from({ length: 5 }, () => app.get(Outbox).deliverDue()));
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
  }, 60_000);
});
