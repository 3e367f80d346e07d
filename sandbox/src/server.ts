import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adminRoutes } from './admin.ts';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import { googleAdsFaults } from './google-ads/faults.ts';
import { googleAdsRoutes } from './google-ads/routes.ts';
import { GoogleAdsState } from './google-ads/state.ts';
import { indexPage } from './index-page.ts';
import { postgresqlFaults, WarehouseFaults } from './postgresql/faults.ts';
import { RequestLog, startLogEntry } from './request-log.ts';
import { BodyTooLarge, findRoute, readBody, sendHtml, sendJson, type Route } from './router.ts';

export interface Sandbox {
  clock: Clock;
  faults: Faults;
  requestLog: RequestLog;
  googleAds: GoogleAdsState;
  warehouse: WarehouseFaults | null;
}

export interface SandboxSettings {
  /** 0: a free one. */
  port?: number | undefined;
  /** The PostgreSQL that faults of the provider `postgresql` break. */
  warehouseUrl?: string | undefined;
  /** Where revocations and restatements are kept over a restart; without it they are forgotten. */
  dataDir?: string | undefined;
}

export async function startSandbox(settings: SandboxSettings = {}): Promise<{ url: string; close: () => Promise<void> }> {
  const sandbox = createSandbox(settings);
  const routes: Route[] = [
    { method: 'GET', path: /^\/$/, answer: ({ response }) => sendHtml(response, 200, indexPage()) },
    ...googleAdsRoutes(sandbox.googleAds),
    ...adminRoutes(sandbox),
  ];
  const server = createServer((request, response) => void answer(sandbox, routes, request, response));
  server.listen(settings.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    // A warehouse must not stay broken when the one who broke it has gone.
    const isWarehouseBroken = sandbox.faults.remove().some((fault) => fault.provider === 'postgresql');
    if (isWarehouseBroken) await sandbox.warehouse?.clear();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function createSandbox({ warehouseUrl, dataDir }: SandboxSettings): Sandbox {
  const clock = new Clock();
  const faults = new Faults({ 'google-ads': googleAdsFaults, postgresql: postgresqlFaults });
  return {
    clock,
    faults,
    requestLog: new RequestLog(),
    googleAds: new GoogleAdsState(clock, faults, dataDir),
    warehouse: warehouseUrl ? new WarehouseFaults(warehouseUrl) : null,
  };
}

async function answer(sandbox: Sandbox, routes: Route[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const body = await readBody(request);
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
    const found = findRoute(routes, request.method ?? 'GET', url.pathname);
    if (!found)
      return sendJson(response, 404, {
        error: { code: 404, message: `Nothing here: ${request.method} ${url.pathname}`, status: 'NOT_FOUND' },
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
      error: { code: 500, message: `The sandbox itself failed: ${message}` },
    });
}
