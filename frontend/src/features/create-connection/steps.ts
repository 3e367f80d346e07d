import type { WizardStep } from '../../lib/paths';
import type { Draft } from '../../api/connection-draft';

export const STEPS: { key: WizardStep; label: string }[] = [
  { key: 'source', label: 'Source' },
  { key: 'destination', label: 'Destination' },
  { key: 'configure', label: 'Configure' },
  { key: 'review', label: 'Review' },
];

/** Whether a step has all it needs. */
const isDone: Record<WizardStep, (draft: Draft) => boolean> = {
  source: (draft) => draft.sourceId !== null,
  destination: (draft) => draft.destinationId !== null,
  configure: (draft) =>
    draft.name.trim() !== '' &&
    draft.streams !== null &&
    draft.streams.length > 0 &&
    draft.schedule !== null &&
    draft.historyFrom !== null,
  review: () => false,
};

export const isStepDone = (step: WizardStep, draft: Draft): boolean => isDone[step](draft);

/** The first step that still needs something, in order. */
export const firstOpenStep = (draft: Draft): WizardStep => STEPS.find(({ key }) => !isDone[key](draft))?.key ?? 'review';

/** The step to show: the asked one, unless one before it is still open. */
export function stepToShow(asked: string | null, draft: Draft): WizardStep {
  const open = STEPS.findIndex(({ key }) => key === firstOpenStep(draft));
  const wanted = STEPS.findIndex(({ key }) => key === asked);
  return STEPS[wanted < 0 ? open : Math.min(wanted, open)]?.key ?? 'source';
}
