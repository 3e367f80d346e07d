import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { toDayNumber } from '../clock.ts';
import type { Exchange } from '../router.ts';
import { authenticate, reachProject, requireResidency } from './access.ts';
import { MixpanelError, PlainError } from './errors.ts';
import type { Json, StoredEvent } from './event.ts';
import { damage } from './export-faults.ts';
import { isMatch, parseExpression } from './expression.ts';
import type { Strike } from './faults.ts';
import type { Project, Residency } from './projects.ts';
import { dayOf, storedTime, todayOf } from './project-time.ts';
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
  const isEmpty = project.residency !== residency && strike('wrong_region_empty') !== undefined;
  if (!isEmpty) requireResidency(project, residency);
  const selection = readSelection(url);
  requireNoFuture(state, project, selection);
  state.limits.countExport(project.id);
  const limit = isEmpty ? 0 : readLimit(url.searchParams.get('limit'));
  const stored = state.events.visible(project.id, state.now());
  const visible = stored.map((event) => ({ ...event, distinctId: state.events.canonicalId(project.id, event.distinctId) }));
  const events = select(visible, project, selection).slice(0, limit);
  const inMs = url.searchParams.get('time_in_ms') === 'true';
  const isIdLess = strike('omit_distinct_id') !== undefined;
  const text = events.map((event) => `${JSON.stringify(exportRow(event, project, { inMs, isIdLess }))}\n`).join('');
  const damaged = damage(text, strike);
  if (damaged) return sendPart(response, damaged.text, damaged.isAborted);
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
    return isWanted && (expression === null || isMatch(expression, filterable(event)));
  });
}

/** What an expression can name: the properties of the event and those that Mixpanel adds. */
function filterable({ properties, distinctId, insertId, processedAt }: StoredEvent): Record<string, Json> {
  return { ...properties, distinct_id: distinctId, $insert_id: insertId, mp_processing_time_ms: processedAt };
}

/** Mixpanel answers in plain text here. */
function requireNoFuture(state: MixpanelState, project: Project, { to }: Selection): void {
  if (to > todayOf(project, state.now())) throw new PlainError(400, 'to_date cannot be later than today');
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

function sendPart(response: ServerResponse, text: string, isAborted: boolean): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  if (!isAborted) return void response.end(text);
  response.write(text, () => response.destroy());
}
