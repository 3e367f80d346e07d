import { InvalidFault } from '../faults.ts';
import { readJsonObject } from '../parameters.ts';
import { sendJson, type Exchange } from '../router.ts';
import type { Json, StoredEvent } from './event.ts';
import { projects } from './projects.ts';
import type { MixpanelState } from './state.ts';

/**
 * POST /admin/mixpanel/events `{projectId, events: [{event, properties, receivedAt?}]}`: events as a website sends them, with any
 * properties. One with a later `receivedAt` (milliseconds) appears in exports when the clock has reached it.
 */
export function putEvents(state: MixpanelState, { response, body }: Exchange): void {
  const { projectId, events } = readJsonObject(body);
  if (typeof projectId !== 'string' || !projects.has(projectId))
    throw new InvalidFault(`Unknown projectId ${String(projectId)}`, { known: [...projects.keys()] });
  if (!Array.isArray(events)) throw new InvalidFault('events must be a list');
  const stored = events.map((event, place) => readEvent(event, state.now(), place));
  state.events.put(projectId, stored);
  sendJson(response, 201, { stored: stored.length });
}

function readEvent(given: unknown, now: number, place: number): StoredEvent {
  const { event, properties, receivedAt = now } = { ...(given as Record<string, unknown>) };
  const { time, distinct_id = '', $insert_id, ...others } = { ...(properties as Record<string, Json>) };
  if (typeof event !== 'string' || typeof time !== 'number' || typeof $insert_id !== 'string' || typeof receivedAt !== 'number')
    throw new InvalidFault(`Event ${place} needs event, properties.time (milliseconds) and properties.$insert_id`);
  return {
    ...{ event, time, distinctId: String(distinct_id), insertId: $insert_id, properties: others },
    ...{ processedAt: receivedAt, visibleAt: receivedAt },
  };
}
