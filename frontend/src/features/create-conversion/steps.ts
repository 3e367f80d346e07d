import type { ConversionDraft } from '~/api/conversions/conversion-draft';
import type { ConversionRules, NewConversion } from '~/api/types';
import { scheduleError } from '~/components/schedule/ScheduleFields';
import { mappingNeeds } from '~/domain/conversions/event-fields';
import { metaEventOf } from '~/domain/conversions/meta-event';
import { cleanRules, consentNeeds, filterNeeds } from '~/domain/conversions/rules';
import type { ConversionStep } from '~/domain/navigation/paths';
import { startOfDay } from '~/lib/dates';

export const STEPS: { key: ConversionStep; label: string }[] = [
  { key: 'source', label: 'Source event' },
  { key: 'destination', label: 'Destination' },
  { key: 'identifiers', label: 'Identifiers' },
  { key: 'consent', label: 'Consent' },
  { key: 'preview', label: 'Preview' },
  { key: 'activate', label: 'Activate' },
];

/** The source of a draft in the form of the API; null without a source. */
export function sourceBodyOf({ source, sourceSettings }: ConversionDraft): ConversionRules['source'] | null {
  if (source?.appId) return { appId: source.appId, settings: sourceSettings };
  return source?.destinationId ? { destinationId: source.destinationId, settings: sourceSettings } : null;
}

/** Identifies the sampled source with its settings. */
export const sampleKeyOf = (draft: ConversionDraft): string => JSON.stringify(sourceBodyOf(draft));

/** The rules of a draft in the form of the API; null while source or target are missing. */
export function rulesBodyOf(draft: ConversionDraft): ConversionRules | null {
  const { appId, accountId, target, rules } = draft;
  const source = sourceBodyOf(draft);
  if (!source || !appId || !accountId || !target) return null;
  return { ...cleanRules(rules), source, target: { appId, accountId, ...target } };
}

/** The conversion in the form of the API; null while something is missing. */
export function newConversionOf(draft: ConversionDraft): NewConversion | null {
  const rules = rulesBodyOf(draft);
  if (!rules || !draft.schedule) return null;
  const since = draft.since === null ? {} : { since: startOfDay(draft.since) };
  return { ...rules, ...since, name: draft.name.trim(), schedule: draft.schedule };
}

function sourceNeeds(draft: ConversionDraft): string | null {
  const { source, sample, rules } = draft;
  if (source === null) return 'Select a source';
  if (sample === null || sample.of !== sampleKeyOf(draft)) return 'Load a sample';
  return sample.fields.length === 0 ? 'The source has no events yet' : filterNeeds(rules.filter);
}

function activateNeeds({ name, schedule, since }: ConversionDraft): string | null {
  if (name.trim() === '') return 'Enter a name';
  if (schedule === null) return 'Select a schedule';
  if (since === '') return 'Enter a day';
  return scheduleError(schedule);
}

/** The first missing input of each step, or null if the step is complete. */
const needs: Record<ConversionStep, (draft: ConversionDraft) => string | null> = {
  source: sourceNeeds,
  destination: ({ appId, accountId, target }) => {
    if (appId === null) return 'Select an app';
    if (accountId === null) return 'Select an account';
    if (target === null) return 'Select what receives the events';
    return metaEventOf(target.settings)?.trim() === '' ? 'Enter an event name' : null;
  },
  identifiers: ({ rules }) => mappingNeeds(rules.mapping),
  consent: ({ rules }) => consentNeeds(rules),
  preview: () => null,
  activate: activateNeeds,
};

export const stepNeeds = (step: ConversionStep, draft: ConversionDraft): string | null => needs[step](draft);

export const isStepDone = (step: ConversionStep, draft: ConversionDraft): boolean => stepNeeds(step, draft) === null;

/** The requested step, or the first incomplete step before it. Without a request, the first incomplete step. */
export function stepToShow(requested: string | null, draft: ConversionDraft): ConversionStep {
  const firstOpen = STEPS.findIndex(({ key }) => !isStepDone(key, draft));
  const open = firstOpen < 0 ? STEPS.length - 1 : firstOpen;
  const requestedIndex = STEPS.findIndex(({ key }) => key === requested);
  return STEPS[requestedIndex < 0 ? open : Math.min(requestedIndex, open)]?.key ?? 'source';
}
