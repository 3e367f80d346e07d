import { useEffect } from 'react';
import type { CatalogStream, Destination, Source } from '../../api/types';
import { addDays, localDay, readerTimeZone } from '../../lib/dates';
import { startingSchedule } from '../../ui/ScheduleFields';
import type { StepProps } from './step-props';
import { startingStreams } from './stream-choice';

/** How far back a first load reaches unless somebody says otherwise. */
const STARTING_HISTORY_DAYS = 90;

interface Parts {
  source: Source | undefined;
  destination: Destination | undefined;
  /** What the source brings and the destination takes. */
  streams: CatalogStream[] | undefined;
}

/** What a draft starts with, once source, destination and catalog are known; a stream that is offered no more is left out. */
export function useStartingValues({ draft, onChange }: StepProps, { source, destination, streams }: Parts): void {
  useEffect(() => {
    if (!source || !destination || !streams) return;
    const kept = draft.streams?.filter((name) => streams.some((stream) => stream.name === name)) ?? null;
    const isSame = kept !== null && kept.length === draft.streams?.length;
    if (isSame && draft.schedule !== null && draft.historyFrom !== null) return;
    onChange({
      name: draft.name || source.name,
      // A choice of which nothing is left was made for another source.
      streams: kept && (kept.length > 0 || isSame) ? kept : startingStreams(streams, destination),
      schedule: draft.schedule ?? startingSchedule('interval', readerTimeZone()),
      historyFrom: draft.historyFrom ?? addDays(localDay(new Date()), -STARTING_HISTORY_DAYS),
    });
  }, [draft, onChange, source, destination, streams]);
}
