import type { ChosenFor, Draft } from '~/api/connections/connection-draft';
import type { CatalogStream, Destination, Source } from '~/api/types';
import { addDays, localDay } from '~/lib/dates';
import { startingSchedule } from '~/components/schedule/ScheduleFields';
import { startingStreams } from '~/components/stream-table/stream-choice';

/** Default history of the initial load. */
const STARTING_HISTORY_DAYS = 90;

interface Parts {
  source: Pick<Source, 'id' | 'name' | 'earliestAvailable'>;
  destination: Pick<Destination, 'provider' | 'settings'>;
  /** Streams that both source and destination support. */
  streams: CatalogStream[];
}

interface Reader {
  now: Date;
  timeZone: string;
}

/** All warehouses accept the same streams. Mixpanel differs, because all streams share one event name. */
const isSameKind = (one: string, other: string): boolean => one === other || (one !== 'mixpanel' && other !== 'mixpanel');

/** Resets the selection if the source or the kind of destination changed. Removes streams that are no longer offered. */
function streamsOf(draft: Draft, { source, destination, streams }: Parts): string[] {
  const { chosenFor } = draft;
  const isOwn = chosenFor?.sourceId === source.id && isSameKind(chosenFor.provider, destination.provider);
  if (!isOwn || draft.streams === null) return startingStreams(streams, destination);
  const kept = draft.streams.filter((name) => streams.some((stream) => stream.name === name));
  return kept.length > 0 || draft.streams.length === 0 ? kept : startingStreams(streams, destination);
}

/** If the draft starts at the earliest day, it follows that day, which moves with time. */
function historyOf(draft: Draft, earliest: string | null, now: Date): string {
  if (draft.historyFrom !== null && draft.historyFrom === draft.earliest && earliest !== null) return earliest;
  const standard = addDays(localDay(now), -STARTING_HISTORY_DAYS);
  return draft.historyFrom ?? (earliest !== null && earliest > standard ? earliest : standard);
}

/** Changes that a draft needs for its source and destination, or null. */
export function startingValues(draft: Draft, parts: Parts, { now, timeZone }: Reader): Partial<Draft> | null {
  const { source, destination } = parts;
  const chosenFor: ChosenFor = { sourceId: source.id, provider: destination.provider };
  const part: Partial<Draft> = {
    name: draft.isNameTyped ? draft.name : source.name,
    streams: streamsOf(draft, parts),
    leftOut: draft.chosenFor?.sourceId === source.id ? draft.leftOut : {},
    hashed: draft.chosenFor?.sourceId === source.id ? draft.hashed : {},
    chosenFor,
    schedule: draft.schedule ?? startingSchedule('interval', timeZone),
    // The lookback window depends on the platform, so it is reset for another source.
    lookbackDays: draft.chosenFor?.sourceId === source.id ? draft.lookbackDays : null,
    historyFrom: historyOf(draft, source.earliestAvailable, now),
    earliest: source.earliestAvailable,
  };
  const before = Object.fromEntries(Object.keys(part).map((key) => [key, draft[key as keyof Draft]]));
  return JSON.stringify(before) === JSON.stringify(part) ? null : part;
}
