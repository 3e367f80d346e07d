import { gzipSync } from 'node:zlib';
import { startSandbox } from '../src/server.ts';

/** The product's calls to Mixpanel over HTTP, for the tests. */
export const webProject = '3100001';
export const europeProject = '3100002';
export const freeProject = '3100003';
export const shopProject = '3100004';
export const oldShopProject = '3100005';
export const shop = 'shop.77c0de.mp-service-account:sandbox-shop-secret';
export const loader = 'loader.f5a1c2.mp-service-account:sandbox-loader-secret';
export const reader = 'reader.9b07de.mp-service-account:sandbox-reader-secret';
export const expired = 'expired.1d44b8.mp-service-account:sandbox-expired-secret';

export type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export interface Answer {
  status: number;
  body: JsonObject;
  text: string;
}

export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
/** Noon UTC: the same calendar day in nearly every zone. */
export const noon = Date.parse('2026-03-10T12:00:00Z');

export function anEvent(properties: JsonObject = {}, event = 'Ad Data'): JsonObject {
  return { event, properties: { time: noon, distinct_id: '', $insert_id: 'row-1', ip: 0, cost: 1.1, clicks: 2, ...properties } };
}

export class Mixpanel {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    region = 'us',
    query = `strict=1&project_id=${webProject}`,
  ) {
    const all = { authorization: basic(loader), 'content-type': 'application/json', ...headers };
    return read(await fetch(`${this.url}/mixpanel/${region}/import?${query}`, { method: 'POST', body, headers: all }));
  }

  import(events: Json[], region = 'us', projectId = webProject): Promise<Answer> {
    return this.post(JSON.stringify(events), {}, region, `strict=1&project_id=${projectId}`);
  }

  importPacked(text: string, type = 'application/json'): Promise<Answer> {
    return this.post(gzipSync(text), { 'content-encoding': 'gzip', 'content-type': type });
  }

  async get(path: string, credentials = loader): Promise<Answer> {
    return read(await fetch(`${this.url}/mixpanel/${path}`, { headers: { authorization: basic(credentials) } }));
  }

  export(parameters: Record<string, string> = {}, region = 'us', credentials = loader): Promise<Answer> {
    const all = { project_id: webProject, from_date: '2026-03-10', to_date: '2026-03-10', time_in_ms: 'true', ...parameters };
    return this.get(`${region}/export?${new URLSearchParams(all)}`, credentials);
  }

  async rows(parameters: Record<string, string> = {}, region = 'us'): Promise<{ event: string; properties: JsonObject }[]> {
    const { text } = await this.export(parameters, region);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string; properties: JsonObject });
  }

  async totals(parameters: Record<string, string> = {}): Promise<Answer> {
    const all = { projectId: webProject, from: '2026-03-10', to: '2026-03-10', ...parameters };
    return this.admin(`mixpanel/totals?${new URLSearchParams(all)}`);
  }

  async admin(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    return read(await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) }));
  }

  fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'mixpanel', fault, ...parameters });
  }
}

async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  return { status: answer.status, body: isJson ? (JSON.parse(text) as JsonObject) : {}, text };
}

export async function startMixpanel(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<Mixpanel & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  const started = Object.assign(new Mixpanel(url), { close });
  // The hourly limits have their own tests.
  await started.admin('mixpanel/limits', { exportsPerHour: 10_000, exportsPerSecond: 10_000, queriesPerHour: 10_000 });
  return started;
}
