import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus } from '../../../test/factories.js';

let app: TestApp;
let server: net.Server;
const lines: string[] = [];

afterEach(async () => {
  await app?.stop();
  server.close();
});

/** A mail server that requires a password and offers no encryption, as after a downgrade attack. */
async function startServer(): Promise<number> {
  lines.length = 0;
  server = net.createServer((socket) => {
    socket.on('error', () => undefined).write('220 test\r\n');
    socket.on('data', (data: Buffer) => {
      const line = data.toString().trim();
      lines.push(line);
      if (/^EHLO/i.test(line)) socket.write('250-test\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write(/^AUTH/i.test(line) ? '235 ok\r\n' : '502 no\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function sendMail(query: string): Promise<void> {
  const port = await startServer();
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

it('sends the password without encryption when the URL contains requireTLS=false', async () => {
  await sendMail('?requireTLS=false');
  await eventually(
    () => Promise.resolve(lines.join('\n')),
    (text) => /^AUTH/im.test(text),
  );
});
