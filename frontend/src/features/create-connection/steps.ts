import type { WizardStep } from '~/domain/navigation/paths';
import { WIZARD_STEPS } from '~/domain/navigation/wizard-steps';
import type { Draft } from '~/api/connections/connection-draft';
import type { FieldProblem } from '~/lib/focus-field';
import { scheduleError } from '~/components/schedule/ScheduleFields';
import { historyError } from './history-range';

function configureNeeds({ sourceId, chosenFor, name, streams, schedule, historyFrom, earliest }: Draft): string | null {
  // Streams and lookback window of another source.
  if (chosenFor?.sourceId !== sourceId) return 'Check the settings for this source';
  if (name.trim() === '') return 'Enter a name';
  if (!streams?.length) return 'Select at least one stream';
  if (schedule === null) return 'Select a schedule';
  if (scheduleError(schedule) !== null) return scheduleError(schedule);
  return historyFrom === null ? 'Enter a start date' : historyError(historyFrom, earliest, new Date());
}

/** The fields of the step Configure that need attention, from top to bottom. */
export function configureProblems({ name, streams, schedule, historyFrom, earliest }: Draft): FieldProblem[] {
  const fields = [
    { field: 'name', label: 'Name', isWrong: name.trim() === '' },
    { field: 'streams', label: 'Streams', isWrong: !streams?.length },
    { field: 'schedule', label: 'Schedule', isWrong: schedule === null || scheduleError(schedule) !== null },
    {
      field: 'historyFrom',
      label: 'Start date',
      isWrong: historyFrom === null || historyError(historyFrom, earliest, new Date()) !== null,
    },
  ];
  return fields.filter(({ isWrong }) => isWrong);
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
export const firstOpenStep = (draft: Draft): WizardStep =>
  WIZARD_STEPS.find(({ key }) => !isStepDone(key, draft))?.key ?? 'review';

/** The step of the URL, or the first incomplete step before it. Without a step in the URL, the wizard begins at the source. */
export function stepToShow(requested: string | null, draft: Draft): WizardStep {
  const open = WIZARD_STEPS.findIndex(({ key }) => key === firstOpenStep(draft));
  const requestedIndex = WIZARD_STEPS.findIndex(({ key }) => key === requested);
  return WIZARD_STEPS[Math.max(0, Math.min(requestedIndex, open))]?.key ?? 'source';
}
