import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adminRoutes, clearFaults } from './admin.ts';
import { indexPage } from './index-page.ts';
import { startLogEntry } from './request-log.ts';
import { BodyTooLarge, findRoute, readBody, sendHtml, sendJson, type Route } from './router.ts';
import { createSandbox, type Sandbox, type SandboxSettings } from './sandbox.ts';

export async function startSandbox(settings: SandboxSettings = {}): Promise<{ url: string; close: () => Promise<void> }> {
  const sandbox = createSandbox(settings);
  const routes: Route[] = [
    { method: 'GET', path: /^\/$/, answer: ({ response }) => sendHtml(response, 200, indexPage(sandbox)) },
    ...sandbox.providers.flatMap(({ routes }) => routes),
    ...adminRoutes(sandbox),
  ];
  const server = createServer((request, response) => void answer(sandbox, routes, request, response));
  server.listen(settings.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    // Reverts faults of the warehouse, so that it does not stay broken.
    await clearFaults(sandbox);
    for (const provider of sandbox.providers) provider.close?.();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function answer(sandbox: Sandbox, routes: Route[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const found = findRoute(routes, request.method ?? 'GET', url.pathname);
    const body = found?.route.isStreamed ? '' : await readBody(request);
    const log = startLogEntry(request, url, body);
    if (log.provider !== 'admin' && log.provider !== '') {
      response.once('close', () => {
        sandbox.requestLog.add({
          ...log,
          status: response.headersSent ? response.statusCode : 0,
          durationMs: Math.round(performance.now() - startedAt),
        });
      });
    }
    if (!found)
      return sendJson(response, 404, {
        error: { code: 404, message: `Not found: ${request.method} ${url.pathname}`, status: 'NOT_FOUND' },
      });
    await found.route.answer({ request, response, url, body, params: found.params, log });
  } catch (error) {
    fail(response, error);
  }
}

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof BodyTooLarge)) console.error(error);
  if (response.headersSent) response.destroy();
  else
    sendJson(response, error instanceof BodyTooLarge ? 413 : 500, {
      error: { code: 500, message: `The sandbox failed: ${message}` },
    });
}
