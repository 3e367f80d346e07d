import type { ChosenFor, Draft } from '~/api/connections/connection-draft';
import type { CatalogStream, Destination, Source } from '~/api/types';
import { addDays, localDay } from '~/lib/dates';
import { startingSchedule } from '~/components/schedule/ScheduleFields';
import { startingStreams } from '~/components/stream-table/stream-choice';

/** How far back a first load reaches unless somebody says otherwise. */
const STARTING_HISTORY_DAYS = 90;

interface Parts {
  source: Pick<Source, 'id' | 'name' | 'earliestAvailable'>;
  destination: Pick<Destination, 'provider' | 'settings'>;
  /** What the source brings and the destination takes. */
  streams: CatalogStream[];
}

interface Reader {
  now: Date;
  timeZone: string;
}

/** Warehouses take the same; one event for everything is another matter. */
const isSameKind = (one: string, other: string): boolean => one === other || (one !== 'mixpanel' && other !== 'mixpanel');

/** What was chosen for another source, or for another kind of destination, is chosen anew; what is offered no more is left out. */
function streamsOf(draft: Draft, { source, destination, streams }: Parts): string[] {
  const { chosenFor } = draft;
  const isOwn = chosenFor?.sourceId === source.id && isSameKind(chosenFor.provider, destination.provider);
  if (!isOwn || draft.streams === null) return startingStreams(streams, destination);
  const kept = draft.streams.filter((name) => streams.some((stream) => stream.name === name));
  return kept.length > 0 || draft.streams.length === 0 ? kept : startingStreams(streams, destination);
}

/** The oldest day moves on with time; who wanted everything goes on wanting it. */
function historyOf(draft: Draft, earliest: string | null, now: Date): string {
  if (draft.historyFrom !== null && draft.historyFrom === draft.earliest && earliest !== null) return earliest;
  const usual = addDays(localDay(now), -STARTING_HISTORY_DAYS);
  return draft.historyFrom ?? (earliest !== null && earliest > usual ? earliest : usual);
}

/** What a draft has to become for its source and destination; null when it is so already. */
export function startingValues(draft: Draft, parts: Parts, { now, timeZone }: Reader): Partial<Draft> | null {
  const { source, destination } = parts;
  const chosenFor: ChosenFor = { sourceId: source.id, provider: destination.provider };
  const part: Partial<Draft> = {
    name: draft.isNameTyped ? draft.name : source.name,
    streams: streamsOf(draft, parts),
    leftOut: draft.chosenFor?.sourceId === source.id ? draft.leftOut : {},
    chosenFor,
    schedule: draft.schedule ?? startingSchedule('interval', timeZone),
    // How far back a platform restates its days is its own matter.
    lookbackDays: draft.chosenFor?.sourceId === source.id ? draft.lookbackDays : null,
    historyFrom: historyOf(draft, source.earliestAvailable, now),
    earliest: source.earliestAvailable,
  };
  const before = Object.fromEntries(Object.keys(part).map((key) => [key, draft[key as keyof Draft]]));
  return JSON.stringify(before) === JSON.stringify(part) ? null : part;
}
