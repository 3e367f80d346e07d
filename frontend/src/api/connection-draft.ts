import type { Schedule } from './types';
import { isRecord } from '../lib/is-record';
import { readJson, storage } from '../lib/storage';

/** What has been decided so far. Kept in the browser at every step; passwords are never part of it. */
export interface Draft {
  sourceId: string | null;
  destinationId: string | null;
  name: string;
  /** null until the catalog's streams are known: then all of them. */
  streams: string[] | null;
  schedule: Schedule | null;
  lookbackDays: number | null;
  historyFrom: string | null;
  savedAt: string | null;
}

export const emptyDraft: Draft = {
  sourceId: null,
  destinationId: null,
  name: '',
  streams: null,
  schedule: null,
  lookbackDays: null,
  historyFrom: null,
  savedAt: null,
};

const keyOf = (organizationId: string): string => `draft:connection:${organizationId}`;

const isDraft = (value: unknown): value is Draft => isRecord(value) && typeof value.name === 'string' && 'sourceId' in value;

export const readDraft = (organizationId: string): Draft | null => readJson(keyOf(organizationId), isDraft);

export const writeDraft = (organizationId: string, draft: Draft): void =>
  storage.set(keyOf(organizationId), JSON.stringify(draft));

export const clearDraft = (organizationId: string): void => storage.remove(keyOf(organizationId));
