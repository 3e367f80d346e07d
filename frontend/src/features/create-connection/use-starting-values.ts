import { useEffect } from 'react';
import type { CatalogStream, Destination, Source } from '~/api/types';
import { readerTimeZone } from '~/lib/dates';
import { startingValues } from './starting-values';
import type { StepProps } from './step-props';

interface Parts {
  source: Source | undefined;
  destination: Destination | undefined;
  /** Streams that both source and destination support. */
  streams: CatalogStream[] | undefined;
}

/** Sets the starting values of a draft once source, destination and catalog are loaded. */
export function useStartingValues({ draft, onChange }: StepProps, { source, destination, streams }: Parts): void {
  useEffect(() => {
    if (!source || !destination || !streams) return;
    const part = startingValues(draft, { source, destination, streams }, { now: new Date(), timeZone: readerTimeZone() });
    if (part !== null) onChange(part);
  }, [draft, onChange, source, destination, streams]);
}
