import type { EndedRunState } from '~/api/connections/run-list';
import { runTable } from '~/domain/connections/connection-state';

const STATES: readonly EndedRunState[] = ['failed', 'partial', 'unverified', 'succeeded'];

/** The filter in the URL; null: all runs. */
export const runStateFrom = (parameters: URLSearchParams): EndedRunState | null =>
  STATES.find((state) => state === parameters.get('state')) ?? null;

export const runFilters = [
  { value: 'all', label: 'All' },
  ...STATES.map((state) => ({ value: state as string, label: runTable[state].word })),
];
