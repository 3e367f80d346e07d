import type { FreshnessTarget, Schedule } from '~/api/types';
import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';

export interface ChosenFor {
  sourceId: string;
  /** Of the destination. */
  provider: string;
}

/** Input of the form of a new destination, without secrets. */
export interface NewDestinationInput {
  name: string;
  settings: Record<string, unknown>;
}

/** The choices in the wizard so far. Stored in the browser after every change, without secrets. */
export interface Draft {
  sourceId: string | null;
  destinationId: string | null;
  /** Provider of the new destination whose form is open; null: an existing destination. */
  newProvider: string | null;
  /** Input of the forms of new destinations by provider. */
  newDestinations: Record<string, NewDestinationInput>;
  name: string;
  /** Whether the user typed the name. Otherwise it is the source's name. */
  isNameTyped: boolean;
  /** null until the catalog is loaded; then the default streams. */
  streams: string[] | null;
  /** Excluded columns by stream. */
  leftOut: Record<string, string[]>;
  /** Hashed fields by stream. */
  hashed: Record<string, string[]>;
  /** The source and provider for which streams and lookback window were chosen. When one changes, the defaults apply again. */
  chosenFor: ChosenFor | null;
  schedule: Schedule | null;
  lookbackDays: number | null;
  /** When each day must be complete; null: no target. */
  freshnessTarget: FreshnessTarget | null;
  historyFrom: string | null;
  /** The first day that the source's platform has data for; null without a limit. */
  earliest: string | null;
  savedAt: string | null;
}

export const emptyDraft: Draft = {
  sourceId: null,
  destinationId: null,
  newProvider: null,
  newDestinations: {},
  name: '',
  isNameTyped: false,
  streams: null,
  leftOut: {},
  hashed: {},
  chosenFor: null,
  schedule: null,
  lookbackDays: null,
  freshnessTarget: null,
  historyFrom: null,
  earliest: null,
  savedAt: null,
};

const keyOf = (organizationId: string): string => `draft:connection:${organizationId}`;

const isDraft = (value: unknown): value is Draft => isRecord(value) && typeof value.name === 'string' && 'sourceId' in value;

export function readDraft(organizationId: string): Draft | null {
  const stored = readJson(keyOf(organizationId), isDraft);
  // A draft of an older version can have fewer fields.
  return stored && { ...emptyDraft, ...stored };
}

export const writeDraft = (organizationId: string, draft: Draft): void =>
  storage.set(keyOf(organizationId), JSON.stringify(draft));

export const clearDraft = (organizationId: string): void => storage.remove(keyOf(organizationId));
