import { Button } from '@mantine/core';
import type { Organization } from '~/api/types';
import { Notice } from '~/ui/feedback/Notice';
import { describeChanges } from './general-values';

interface ConflictProps {
  before: Organization;
  after: Organization;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Two people changed the same settings. Nothing of either is lost until the reader says which counts. */
export function Conflict({ before, after, onTakeTheirs, onKeepMine }: ConflictProps) {
  const actions = (
    <>
      <Button variant="default" onClick={onTakeTheirs}>
        Use theirs
      </Button>
      <Button variant="default" onClick={onKeepMine}>
        Save mine over it
      </Button>
    </>
  );
  return (
    <Notice tone="warn" title="Somebody else changed these settings meanwhile" actions={actions} isAlert>
      They changed {describeChanges(before, after)}. What you typed is still here and is not saved.
    </Notice>
  );
}
