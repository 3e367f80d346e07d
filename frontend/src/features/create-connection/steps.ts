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
  if (name.trim() === '') return 'Give it a name';
  if (!streams?.length) return 'Choose a stream';
  if (schedule === null) return 'Choose a schedule';
  if (scheduleError(schedule) !== null) return scheduleError(schedule);
  return historyFrom === null ? 'Choose how far back' : historyError(historyFrom, earliest, new Date());
}

/** What each step still needs, in words; null when it has all. */
const needs: Record<WizardStep, (draft: Draft) => string | null> = {
  source: ({ sourceId }) => (sourceId === null ? 'Choose a source' : null),
  destination: ({ destinationId }) => (destinationId === null ? 'Choose a destination' : null),
  configure: configureNeeds,
  review: () => 'Create it',
};

export const stepNeeds = (step: WizardStep, draft: Draft): string | null => needs[step](draft);

export const isStepDone = (step: WizardStep, draft: Draft): boolean => stepNeeds(step, draft) === null;

/** The first step that still needs something, in order. */
export const firstOpenStep = (draft: Draft): WizardStep => STEPS.find(({ key }) => !isStepDone(key, draft))?.key ?? 'review';

/** The step to show: the asked one, unless one before it is still open. */
export function stepToShow(asked: string | null, draft: Draft): WizardStep {
  const open = STEPS.findIndex(({ key }) => key === firstOpenStep(draft));
  const wanted = STEPS.findIndex(({ key }) => key === asked);
  return STEPS[wanted < 0 ? open : Math.min(wanted, open)]?.key ?? 'source';
}
