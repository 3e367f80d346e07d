import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface CaughtMail {
  id: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
}

/** The mail catcher of the demo, as a separate process. */
export interface MailCatcher {
  url: string;
  smtpUrl: string;
  stop(): Promise<void>;
}

export async function startMailCatcher(smtpPort = 0): Promise<MailCatcher> {
  const entry = fileURLToPath(new URL('../../sandbox/src/mail/main.ts', import.meta.url));
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

export async function mailsTo(mail: MailCatcher, address: string): Promise<CaughtMail[]> {
  const answer = await fetch(`${mail.url}/api/messages?to=${encodeURIComponent(address)}`);
  const { messages } = (await answer.json()) as { messages: { id: string }[] };
  return Promise.all(
    messages.map(
      async ({ id }) => (await (await fetch(`${mail.url}/api/messages/${encodeURIComponent(id)}`)).json()) as CaughtMail,
    ),
  );
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
