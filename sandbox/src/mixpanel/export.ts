import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { toDayNumber } from '../clock.ts';
import type { Exchange } from '../router.ts';
import { authenticate, reachProject, requireResidency } from './access.ts';
import { MixpanelError } from './errors.ts';
import type { Json, StoredEvent } from './event.ts';
import { isMatch, parseExpression } from './expression.ts';
import type { Strike } from './faults.ts';
import type { Project, Residency } from './projects.ts';
import { dayOf, storedTime } from './project-time.ts';
import type { MixpanelState } from './state.ts';

const rowLimit = 100_000;
const compressedFromBytes = 1_400;

export interface Selection {
  from: number;
  to: number;
  names: string[] | null;
  where: string | null;
}

/** GET /export: received events without deduplication, one JSON object per line. */
export function exportEvents(state: MixpanelState, exchange: Exchange, residency: Residency, strike: Strike): void {
  const { request, response, url } = exchange;
  const project = reachProject(authenticate(request, state.faults), url.searchParams.get('project_id'), ['admin', 'analyst']);
  requireResidency(project, residency);
  const selection = readSelection(url);
  state.limits.countExport(project.id);
  const limit = readLimit(url.searchParams.get('limit'));
  const events = select(state.events.visible(project.id, state.now()), project, selection).slice(0, limit);
  const inMs = url.searchParams.get('time_in_ms') === 'true';
  const isIdLess = strike('omit_distinct_id') !== undefined;
  const text = events.map((event) => `${JSON.stringify(exportRow(event, project, { inMs, isIdLess }))}\n`).join('');
  const fault = strike('truncate');
  if (fault) return sendPart(response, cut(text, fault.parameters.atLineEnd === true), fault.parameters.abort === true);
  const isPacked = (request.headers['accept-encoding'] ?? '').includes('gzip') && text.length > compressedFromBytes;
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', ...(isPacked && { 'content-encoding': 'gzip' }) });
  response.end(isPacked ? gzipSync(text) : text);
}

export function readSelection(url: URL): Selection {
  const from = toDayNumber(url.searchParams.get('from_date') ?? '');
  const to = toDayNumber(url.searchParams.get('to_date') ?? '');
  if (Number.isNaN(from) || Number.isNaN(to))
    throw new MixpanelError(400, 'from_date and to_date must be of the form yyyy-mm-dd');
  if (from > to) throw new MixpanelError(400, 'to_date cannot be before from_date');
  return { from, to, names: readNames(url.searchParams.get('event')), where: url.searchParams.get('where') };
}

export function select(events: StoredEvent[], project: Project, { from, to, names, where }: Selection): StoredEvent[] {
  const expression = where ? parseExpression(where) : null;
  return events.filter((event) => {
    const day = dayOf(event, project);
    const isWanted = day >= from && day <= to && (names === null || names.includes(event.event));
    return isWanted && (expression === null || isMatch(expression, event.properties));
  });
}

/** `event` is a JSON array of names here; the query API accepts one plain name. */
function readNames(text: string | null): string[] | null {
  if (text === null) return null;
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  } catch {
    // Falls through to the rejection below.
  }
  throw new MixpanelError(400, 'event must be a JSON array of event names');
}

function readLimit(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > rowLimit)
    throw new MixpanelError(400, `limit must be between 1 and ${rowLimit}`);
  return limit;
}

function exportRow(event: StoredEvent, project: Project, { inMs, isIdLess }: { inMs: boolean; isIdLess: boolean }): Json {
  const time = storedTime(event, project);
  return {
    event: event.event,
    properties: {
      time: inMs ? time : Math.floor(time / 1_000),
      ...(!(isIdLess && event.distinctId === '') && { distinct_id: event.distinctId }),
      $insert_id: event.insertId,
      $import: true,
      $mp_api_endpoint: 'api.mixpanel.com',
      mp_processing_time_ms: event.processedAt,
      ...event.properties,
    },
  };
}

/** Half of the lines, and half of the next one unless the truncation must go unnoticed. */
function cut(text: string, atLineEnd: boolean): string {
  const lines = text.split('\n');
  const whole = lines.slice(0, Math.floor((lines.length - 1) / 2));
  const next = lines[whole.length] ?? '';
  return whole.map((line) => `${line}\n`).join('') + (atLineEnd ? '' : next.slice(0, Math.floor(next.length / 2)));
}

function sendPart(response: ServerResponse, text: string, isAborted: boolean): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  if (!isAborted) return void response.end(text);
  response.write(text, () => response.destroy());
}
