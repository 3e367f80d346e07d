import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const VALID_KEY = 'key-of-northwind';
export const ACCOUNT = 'a-1';
const CAMPAIGNS = ['Brand', 'Search'];
const PAGE_ROWS = 3;

export interface InventedRow {
  date: string;
  campaignId: string;
  campaignName: string;
  costMicros: string;
  clicks: string;
  impressions: string;
}

function listDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** What the platform has for these days. */
export const rowsOf = (from: string, to: string): InventedRow[] =>
  listDays(from, to).flatMap((date) =>
    CAMPAIGNS.map((campaignName, index) => ({
      ...{ date, campaignId: `c-${index}`, campaignName },
      costMicros: String(1_250_000 * (index + 1) + Number(date.slice(-2))),
      clicks: String(Number(date.slice(-2)) + index),
      impressions: String(100 + index),
    })),
  );

export interface InventedPlatform {
  url: string;
  /** The last row of every report is missing, as if an answer was cut. */
  isTruncating: boolean;
  stop(): Promise<void>;
}

/** A platform that exists only in this test, with the API of the template of `make connector`. */
export async function startInventedPlatform(): Promise<InventedPlatform> {
  const platform: InventedPlatform = { url: '', isTruncating: false, stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const { status, body } = answer(request, platform.isTruncating);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return platform;
}

function answer({ url = '', headers }: IncomingMessage, isTruncating: boolean): { status: number; body: object } {
  if (headers.authorization !== `Bearer ${VALID_KEY}`) return { status: 401, body: {} };
  const { pathname, searchParams } = new URL(url, 'http://platform');
  if (pathname === '/accounts')
    return { status: 200, body: { accounts: [{ id: ACCOUNT, name: 'Northwind', currency: 'EUR', timeZone: 'UTC' }] } };
  if (pathname !== `/accounts/${ACCOUNT}/reports/campaigns`) return { status: 404, body: {} };
  const all = rowsOf(searchParams.get('from') ?? '', searchParams.get('to') ?? '');
  const start = Number(searchParams.get('cursor') ?? 0);
  const sent = isTruncating ? all.slice(0, -1) : all;
  const end = start + PAGE_ROWS;
  const nextCursor = end < sent.length ? String(end) : null;
  return { status: 200, body: { rows: sent.slice(start, end), nextCursor, totalRows: all.length } };
}
