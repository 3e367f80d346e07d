import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus } from '../../../test/factories.js';
import { Outbox } from './outbox.js';

let app: TestApp;
let server: net.Server;
const lines: string[] = [];

afterEach(async () => {
  await app?.stop();
  server?.close();
});

/** A mail server that requires a password and offers no encryption, as after a downgrade attack. */
function answerWithoutEncryption(line: string): string {
  if (/^EHLO/i.test(line)) return '250-test\r\n250 AUTH PLAIN LOGIN';
  if (/^QUIT/i.test(line)) return '221 bye';
  return /^AUTH/i.test(line) ? '235 ok' : '502 no';
}

async function startServer(answer: (line: string) => string): Promise<number> {
  lines.length = 0;
  server = net.createServer((socket) => {
    socket.on('error', () => undefined).write('220 test\r\n');
    /** The mail that is received after DATA; null: commands are. */
    let body: string | null = null;
    socket.on('data', (data: Buffer) => {
      if (body !== null) body += data.toString();
      if (body?.endsWith('\r\n.\r\n') === false) return;
      const line = body === null ? data.toString().trim() : '';
      lines.push(line);
      const reply = answer(line);
      body = reply.startsWith('354') ? '\r\n' : null;
      socket.write(`${reply}\r\n`);
      if (reply.startsWith('221')) socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function sendMail(query: string): Promise<void> {
  const port = await startServer(answerWithoutEncryption);
  app = await startTestApp({ ROLE: 'all', SMTP_URL: `smtp://user:secret@127.0.0.1:${port}${query}` });
  const { call, path } = await anOrganization(app);
  expectStatus(await call.post(`${path}/invitations`, { email: 'new@example.com', role: 'viewer' }), 201);
}

it('sends no password to a mail server that offers no encryption', async () => {
  await sendMail('');
  await eventually(
    () => Promise.resolve(lines.length),
    (count) => count >= 2,
  );
  expect(lines.join('\n')).not.toMatch(/AUTH/i);
});

it.each([
  ['offers no encryption', async () => `127.0.0.1:${await startServer(answerWithoutEncryption)}`],
  ['has a name that does not resolve', async () => 'no-such-host.invalid:587'],
])('keeps mails queued for a mail server that %s, because only a change of the settings helps', async (_case, address) => {
  app = await startTestApp({ ROLE: 'all', SMTP_URL: `smtp://user:secret@${await address()}` });
  const { call, path } = await anOrganization(app);
  expectStatus(await call.post(`${path}/invitations`, { email: 'new@example.com', role: 'viewer' }), 201);
  const mails = () => app.database.query(`select state, attempts, last_error from outbox_messages where name = 'invitation'`);
  const rejected = await eventually(mails, ([mail]) => typeof mail?.['last_error'] === 'string', 30_000);
  expect(rejected).toMatchObject([{ state: 'queued', attempts: 0 }]);
});

it('sends the password without encryption when the URL contains requireTLS=false', async () => {
  await sendMail('?requireTLS=false');
  await eventually(
    () => Promise.resolve(lines.join('\n')),
    (text) => /^AUTH/im.test(text),
  );
});

it('keeps mails queued while the server rejects the sender of all mails, and delivers them after the settings are fixed', async () => {
  let sender = '530 5.7.0 Authentication required';
  const port = await startServer((line) => {
    if (/^MAIL FROM/i.test(line)) return sender;
    if (/^DATA/i.test(line)) return '354 send it';
    return /^QUIT/i.test(line) ? '221 bye' : '250 ok';
  });
  app = await startTestApp({ ROLE: 'all', SMTP_URL: `smtp://127.0.0.1:${port}` });
  const { call, path } = await anOrganization(app);
  expectStatus(await call.post(`${path}/invitations`, { email: 'new@example.com', role: 'viewer' }), 201);
  const mails = () =>
    app.database.query(`select state, attempts, last_error from outbox_messages where kind = 'mail' and name = 'invitation'`);
  const rejected = await eventually(mails, ([mail]) => mail?.['last_error'] !== null && mail?.['attempts'] === 0);
  expect(rejected).toMatchObject([{ state: 'queued', last_error: expect.stringContaining('Authentication required') }]);
  sender = '250 ok';
  await app.database.query('update outbox_messages set next_attempt_at = now()');
  await app.get(Outbox).deliverDue('mail');
  await eventually(mails, ([mail]) => mail?.['state'] === 'delivered');
});
