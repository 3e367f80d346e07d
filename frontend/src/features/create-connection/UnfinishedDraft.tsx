import { Button } from '@mantine/core';
import type { Draft } from '~/api/connections/connection-draft';
import { formatMoment } from '~/lib/dates';
import type { WizardStep } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { Notice } from '~/ui/feedback/Notice';
import { STEPS } from './steps';

interface UnfinishedDraftProps {
  draft: Draft;
  leftAt: string;
  /** Step at which the draft resumes. */
  step: WizardStep;
  onResume: () => void;
  startOver: React.ReactNode;
}

/** Offers to resume a draft. It is not resumed automatically, because the user may want to create another connection. */
export function UnfinishedDraft({ draft, leftAt, step, onResume, startOver }: UnfinishedDraftProps) {
  const now = useNow();
  const label = STEPS.find(({ key }) => key === step)?.label ?? '';
  return (
    <Notice
      tone="accent"
      title={`Unfinished draft from ${formatMoment(leftAt, now)}`}
      actions={
        <>
          <Button onClick={onResume}>Resume</Button>
          {startOver}
        </>
      }
    >
      {draft.name === '' ? 'A draft' : `The draft “${draft.name}”`} is saved in this browser. It resumes at {label}.
    </Notice>
  );
}
