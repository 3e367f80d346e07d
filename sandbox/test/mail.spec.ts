import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMail } from '../src/mail/server.ts';

interface Message {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

let mail: Awaited<ReturnType<typeof startMail>>;
beforeAll(async () => void (mail = await startMail()));
afterAll(() => mail.close());

const list = async (url: string, to = ''): Promise<Message[]> => {
  const answer = await fetch(`${url}/api/messages?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { messages: Message[] }).messages;
};

/** Sends SMTP commands one at a time, each after the previous answer. */
async function send(to: string, content: string): Promise<void> {
  const socket = connect(Number(new URL(mail.smtpUrl).port), '127.0.0.1');
  const commands = ['EHLO test', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${to}>`, 'DATA', `${content}\r\n.`, 'QUIT'];
  for (const command of commands) {
    await once(socket, 'data');
    socket.write(`${command}\r\n`);
  }
  await once(socket, 'close');
}

const message = [
  'From: Tributary <hello@example.com>',
  'To: someone@example.com',
  'Subject: =?utf-8?B?R3LDvMOfZSDwn5Oo?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Open https://example.com/a?b=1',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Open <a href="https://example.com">this</a></p><script>alert(1)</script>',
  '--b--',
].join('\r\n');

describe('the mail catcher', () => {
  it('returns 404 for a missing message', async () => {
    expect((await fetch(`${mail.url}/api/messages/none`)).status).toBe(404);
  });

  it('stores mails and returns both parts by recipient', async () => {
    await send('Owner@example.com', message);
    expect(await list(mail.url, 'another@example.com')).toEqual([]);
    const [received] = await list(mail.url, 'owner@example.com');
    expect(received).toMatchObject({ from: 'Tributary <hello@example.com>', to: ['Owner@example.com'], subject: 'Grüße 📨' });
    expect(received!.text).toContain('https://example.com/a?b=1');
    expect(received!.html).toContain('<a href="https://example.com">');
    const single = await fetch(`${mail.url}/api/messages/${received!.id}`);
    expect(await single.json()).toEqual(received);
  });

  it('deletes everything when it is emptied', async () => {
    await send('owner@example.com', message);
    expect((await fetch(`${mail.url}/api/messages`, { method: 'DELETE' })).status).toBe(204);
    expect(await list(mail.url)).toEqual([]);
  });

  it('has a page that runs only its own script', async () => {
    const answer = await fetch(mail.url);
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'/);
    expect(await answer.text()).toContain('<h1>Mail</h1>');
  });

  it('shows each link of the sign-in emulator as one mail, and works without the emulator', async () => {
    const oobCodes = [
      { email: 'owner@example.com', oobCode: 'code', oobLink: 'http://127.0.0.1:1/reset?a=1&b=2', requestType: 'PASSWORD_RESET' },
    ];
    const emulator = createServer((_request, response) => response.end(JSON.stringify({ oobCodes })));
    emulator.listen(0, '127.0.0.1');
    await once(emulator, 'listening');
    const authEmulatorUrl = `http://127.0.0.1:${(emulator.address() as AddressInfo).port}`;
    const withEmulator = await startMail({ authEmulatorUrl, firebaseProjectId: 'demo' });
    await list(withEmulator.url);
    const messages = await list(withEmulator.url, 'owner@example.com');
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      subject: 'Reset your password',
      text: expect.stringContaining('http://127.0.0.1:1/reset?a=1&b=2') as string,
    });
    emulator.close();
    emulator.closeAllConnections();
    expect(await list(withEmulator.url)).toHaveLength(1);
    await withEmulator.close();
  });
});
