import { toDayNumber } from '../clock.ts';
import { InvalidFault } from '../faults.ts';
import { readRange } from '../parameters.ts';
import { sendJson, type Exchange } from '../router.ts';
import { DecimalSum } from '../decimal.ts';
import { deduplicate, type StoredEvent } from './event.ts';
import { projects } from './projects.ts';
import type { MixpanelState } from './state.ts';

const dayMs = 86_400_000;

/**
 * GET /admin/mixpanel/totals?projectId&from&to[&accountId][&event][&groupBy]: exact sums as in reports, and the raw events. Days
 * are UTC days of the events; `accountId` is the property account_id, `groupBy` any property.
 */
export function sendTotals(state: MixpanelState, { response, url }: Exchange): void {
  const { searchParams } = url;
  const projectId = searchParams.get('projectId') ?? '';
  if (!projects.has(projectId)) throw new InvalidFault(`Unknown projectId ${projectId}`, { known: [...projects.keys()] });
  const { from, to } = readRange(searchParams.get('from'), searchParams.get('to'));
  const [accountId, name, groupBy] = ['accountId', 'event', 'groupBy'].map((parameter) => searchParams.get(parameter));
  const raw = state.events.visible(projectId, Number.POSITIVE_INFINITY).filter((event) => {
    const day = Math.floor(event.time / dayMs);
    const isInRange = day >= toDayNumber(from) && day <= toDayNumber(to);
    return isInRange && (!name || event.event === name) && (!accountId || String(event.properties.account_id) === accountId);
  });
  const shown = deduplicate(raw);
  const groups = groupBy ? Map.groupBy(shown, (event) => String(event.properties[groupBy])) : new Map<string, StoredEvent[]>();
  sendJson(response, 200, {
    ...sumUp(shown),
    groups: Object.fromEntries([...groups].map(([value, events]) => [value, sumUp(events)])),
    rawEvents: raw.length,
    raw: searchParams.get('raw') === 'true' ? raw : undefined,
  });
}

function sumUp(events: StoredEvent[]): { events: number; sums: Record<string, string> } {
  const sums = new Map<string, DecimalSum>();
  for (const { properties } of events)
    for (const [name, value] of Object.entries(properties)) {
      if (typeof value !== 'number') continue;
      const sum = sums.get(name) ?? new DecimalSum();
      sum.add(value);
      sums.set(name, sum);
    }
  return { events: events.length, sums: Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toString()])) };
}
