import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';
import type { Schedule } from '~/api/types';
import { startingRules } from '~/domain/conversions/rules';
import type { EventRules } from '~/domain/conversions/rules';

export interface DraftSource {
  provider: string;
  appId: string | null;
  destinationId: string | null;
  name: string;
}

export interface DraftTarget {
  name: string;
  settings: Record<string, unknown>;
}

/** What the platform of the target does, as the list of targets returns it. */
export interface TargetTraits {
  refunds: string;
  hasValidateOnly: boolean;
  removesDuplicates: boolean;
  /** The identifiers that it takes. */
  identifiers: string[];
}

/** Names of the fields of the sampled records. The records themselves are not stored: they contain personal data. */
export interface DraftSample {
  fields: string[];
  idField: string | null;
  timeField: string | null;
  /** The source and settings that were sampled, as text. With others, the sample is outdated. */
  of: string;
}

/** The choices in the wizard so far. Stored in the browser after every step. */
export interface ConversionDraft {
  source: DraftSource | null;
  /** The form of the source, as texts. */
  sourceValues: Record<string, string>;
  /** The settings as the server expects them. */
  sourceSettings: Record<string, unknown>;
  sample: DraftSample | null;
  /** The sample and the identifiers of the target for which the mapping was completed. */
  mappedFor: string | null;
  appId: string | null;
  accountId: string | null;
  target: DraftTarget | null;
  traits: TargetTraits | null;
  rules: EventRules;
  name: string;
  /** Whether the user typed the name. Otherwise it is made of source and target. */
  isNameTyped: boolean;
  schedule: Schedule | null;
  /** First day of the events that are read; null: from now on. */
  since: string | null;
  savedAt: string | null;
}

export const emptyConversionDraft: ConversionDraft = {
  source: null,
  sourceValues: {},
  sourceSettings: {},
  sample: null,
  mappedFor: null,
  appId: null,
  accountId: null,
  target: null,
  traits: null,
  rules: startingRules,
  name: '',
  isNameTyped: false,
  schedule: null,
  since: null,
  savedAt: null,
};

const keyOf = (organizationId: string): string => `draft:conversion:${organizationId}`;

const isDraft = (value: unknown): value is ConversionDraft =>
  isRecord(value) && typeof value.name === 'string' && isRecord(value.rules) && 'source' in value;

export function readConversionDraft(organizationId: string): ConversionDraft | null {
  const stored = readJson(keyOf(organizationId), isDraft);
  // A draft of an older version can have fewer fields.
  return stored && { ...emptyConversionDraft, ...stored, rules: { ...startingRules, ...stored.rules } };
}

export const writeConversionDraft = (organizationId: string, draft: ConversionDraft): void =>
  storage.set(keyOf(organizationId), JSON.stringify(draft));

export const clearConversionDraft = (organizationId: string): void => storage.remove(keyOf(organizationId));
