import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findRoute, sendHtml, sendJson, type Route } from '../router.ts';
import { AuthEmulator } from './auth-emulator.ts';
import { inboxPage, inboxScriptPolicy } from './inbox-page.ts';
import { Mailbox } from './mailbox.ts';
import { startSmtp } from './smtp.ts';

export interface MailSettings {
  /** 0: a free port. */
  smtpPort?: number | undefined;
  httpPort?: number | undefined;
  /** The Firebase Auth emulator whose mails are shown too. */
  authEmulatorUrl?: string | undefined;
  firebaseProjectId?: string | undefined;
}

export async function startMail(
  settings: MailSettings = {},
): Promise<{ url: string; smtpUrl: string; close: () => Promise<void> }> {
  const mailbox = new Mailbox();
  const { authEmulatorUrl, firebaseProjectId } = settings;
  const emulator = authEmulatorUrl && firebaseProjectId ? new AuthEmulator(mailbox, authEmulatorUrl, firebaseProjectId) : null;
  const smtp = await startSmtp(mailbox, settings.smtpPort ?? 0);
  const routes = mailRoutes(mailbox, emulator);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mail');
    const found = findRoute(routes, request.method ?? 'GET', url.pathname);
    if (!found) return sendJson(response, 404, { error: 'Nothing here' });
    found.route.answer({ response, url, params: found.params })?.catch((error: unknown) => fail(response, error));
  });
  server.listen(settings.httpPort ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await smtp.close();
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, smtpUrl: `smtp://127.0.0.1:${smtp.port}`, close };
}

interface MailExchange {
  response: ServerResponse;
  url: URL;
  params: Record<string, string>;
}

function mailRoutes(mailbox: Mailbox, emulator: AuthEmulator | null): Route<MailExchange>[] {
  return [
    { method: 'GET', path: /^\/$/, answer: ({ response }) => sendHtml(response, 200, inboxPage(), inboxScriptPolicy) },
    {
      method: 'GET',
      path: /^\/api\/messages$/,
      answer: async ({ response, url }) => {
        await emulator?.collect();
        sendJson(response, 200, { messages: mailbox.list(url.searchParams.get('to')) });
      },
    },
    {
      method: 'GET',
      path: /^\/api\/messages\/(?<id>[^/]+)$/,
      answer: ({ response, params }) => {
        const message = mailbox.find(params.id ?? '');
        sendJson(response, message ? 200 : 404, message ?? { error: 'No such message' });
      },
    },
    {
      method: 'DELETE',
      path: /^\/api\/messages$/,
      answer: ({ response }) => {
        mailbox.empty();
        response.writeHead(204).end();
      },
    },
  ];
}

function fail(response: ServerResponse, error: unknown): void {
  console.error(error);
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { error: 'The mail catcher failed' });
}
