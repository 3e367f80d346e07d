import { Button } from '@mantine/core';
import type { Draft } from '~/api/connections/connection-draft';
import { formatMoment } from '~/lib/dates';
import type { WizardStep } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { Notice } from '~/ui/feedback/Notice';
import { STEPS } from './steps';

interface LeftBehindProps {
  draft: Draft;
  leftAt: string;
  /** Where it goes on. */
  step: WizardStep;
  onResume: () => void;
  startOver: React.ReactNode;
}

/** A draft is not taken up unseen: somebody may have come to make another connection. */
export function LeftBehind({ draft, leftAt, step, onResume, startOver }: LeftBehindProps) {
  const now = useNow();
  const label = STEPS.find(({ key }) => key === step)?.label ?? '';
  return (
    <Notice
      tone="accent"
      title={`You left this on ${formatMoment(leftAt, now)}`}
      actions={
        <>
          <Button onClick={onResume}>Resume</Button>
          {startOver}
        </>
      }
    >
      {draft.name === '' ? 'A draft' : `The draft “${draft.name}”`} is kept in this browser and goes on at {label}.
    </Notice>
  );
}
