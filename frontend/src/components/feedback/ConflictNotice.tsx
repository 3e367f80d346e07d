import { Button } from '@mantine/core';
import { Notice } from '~/ui/feedback/Notice';

interface ConflictNoticeProps {
  /** `this source` */
  what: string;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Shown when someone else saved the same resource during an edit. Both versions are kept until the user chooses one. */
export const ConflictNotice = ({ what, onTakeTheirs, onKeepMine }: ConflictNoticeProps) => (
  <Notice
    tone="warn"
    title={`Someone else saved changes to ${what}`}
    isAlert
    actions={
      <>
        <Button variant="default" onClick={onTakeTheirs}>
          Use theirs
        </Button>
        <Button variant="default" onClick={onKeepMine}>
          Keep mine
        </Button>
      </>
    }
  >
    Your changes are not saved yet. Choose which version to keep.
  </Notice>
);
