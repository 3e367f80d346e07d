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

/** Two users changed the same settings. Both versions are kept until the user selects one. */
export function Conflict({ before, after, onTakeTheirs, onKeepMine }: ConflictProps) {
  const actions = (
    <>
      <Button variant="default" onClick={onTakeTheirs}>
        Use theirs
      </Button>
      <Button variant="default" onClick={onKeepMine}>
        Overwrite with mine
      </Button>
    </>
  );
  return (
    <Notice tone="warn" title="Someone else saved changes to these settings" actions={actions} isAlert>
      They changed {describeChanges(before, after)}. Your changes are not saved yet.
    </Notice>
  );
}
