import type { WizardStep } from '~/domain/navigation/paths';
import type { Draft } from '~/api/connections/connection-draft';
import { scheduleError } from '~/components/schedule/ScheduleFields';
import { historyError } from './history-range';

export const STEPS: { key: WizardStep; label: string }[] = [
  { key: 'source', label: 'Source' },
  { key: 'destination', label: 'Destination' },
  { key: 'configure', label: 'Configure' },
  { key: 'review', label: 'Review' },
];

function configureNeeds({ name, streams, schedule, historyFrom, earliest }: Draft): string | null {
  if (name.trim() === '') return 'Enter a name';
  if (!streams?.length) return 'Select at least one stream';
  if (schedule === null) return 'Select a schedule';
  if (scheduleError(schedule) !== null) return scheduleError(schedule);
  return historyFrom === null ? 'Enter a start date' : historyError(historyFrom, earliest, new Date());
}

/** The first missing input of each step, or null if the step is complete. */
const needs: Record<WizardStep, (draft: Draft) => string | null> = {
  source: ({ sourceId }) => (sourceId === null ? 'Select a source' : null),
  destination: ({ destinationId }) => (destinationId === null ? 'Select a destination' : null),
  configure: configureNeeds,
  review: () => 'Create the connection',
};

export const stepNeeds = (step: WizardStep, draft: Draft): string | null => needs[step](draft);

export const isStepDone = (step: WizardStep, draft: Draft): boolean => stepNeeds(step, draft) === null;

/** The first incomplete step. */
export const firstOpenStep = (draft: Draft): WizardStep => STEPS.find(({ key }) => !isStepDone(key, draft))?.key ?? 'review';

/** The requested step, or the first incomplete step before it. */
export function stepToShow(requested: string | null, draft: Draft): WizardStep {
  const open = STEPS.findIndex(({ key }) => key === firstOpenStep(draft));
  const requestedIndex = STEPS.findIndex(({ key }) => key === requested);
  return STEPS[requestedIndex < 0 ? open : Math.min(requestedIndex, open)]?.key ?? 'source';
}
