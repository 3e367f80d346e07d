import type { Schedule } from '~/api/types';
import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';

export interface ChosenFor {
  sourceId: string;
  /** Of the destination. */
  provider: string;
}

/** What has been decided so far. Kept in the browser at every step; passwords are never part of it. */
export interface Draft {
  sourceId: string | null;
  destinationId: string | null;
  name: string;
  /** Otherwise it is the source's, and follows it. */
  isNameTyped: boolean;
  /** null until the catalog's streams are known: then those most people begin with. */
  streams: string[] | null;
  /** Columns that are not written, by stream. */
  leftOut: Record<string, string[]>;
  /** For what the streams and the look-back were chosen; for another source, or events instead of tables, they are chosen anew. */
  chosenFor: ChosenFor | null;
  schedule: Schedule | null;
  lookbackDays: number | null;
  historyFrom: string | null;
  /** First day the source's platform still answers for; null: as far as there is data. */
  earliest: string | null;
  savedAt: string | null;
}

export const emptyDraft: Draft = {
  sourceId: null,
  destinationId: null,
  name: '',
  isNameTyped: false,
  streams: null,
  leftOut: {},
  chosenFor: null,
  schedule: null,
  lookbackDays: null,
  historyFrom: null,
  earliest: null,
  savedAt: null,
};

const keyOf = (organizationId: string): string => `draft:connection:${organizationId}`;

const isDraft = (value: unknown): value is Draft => isRecord(value) && typeof value.name === 'string' && 'sourceId' in value;

export function readDraft(organizationId: string): Draft | null {
  const kept = readJson(keyOf(organizationId), isDraft);
  // An earlier version of the wizard kept less.
  return kept && { ...emptyDraft, ...kept };
}

export const writeDraft = (organizationId: string, draft: Draft): void =>
  storage.set(keyOf(organizationId), JSON.stringify(draft));

export const clearDraft = (organizationId: string): void => storage.remove(keyOf(organizationId));
