import { Button } from '@mantine/core';
import { formatMoment } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { Notice } from '~/ui/feedback/Notice';

interface UnfinishedDraftProps {
  name: string;
  leftAt: string;
  /** Label of the step at which the draft resumes. */
  stepLabel: string;
  onResume: () => void;
  startOver: React.ReactNode;
}

/** Offers to resume a draft. It is not resumed automatically, because the user may want to create another item. */
export function UnfinishedDraft({ name, leftAt, stepLabel, onResume, startOver }: UnfinishedDraftProps) {
  const now = useNow();
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
      {name === '' ? 'A draft' : `The draft “${name}”`} is saved in this browser. It resumes at {stepLabel}.
    </Notice>
  );
}
