import { Button } from '@mantine/core';
import { Notice } from '~/ui/feedback/Notice';

interface ConflictNoticeProps {
  /** `this source` */
  what: string;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody else saved the same thing while the reader was typing. Nothing of either is lost until the reader says which counts. */
export const ConflictNotice = ({ what, onTakeTheirs, onKeepMine }: ConflictNoticeProps) => (
  <Notice
    tone="warn"
    title={`Somebody else changed ${what} meanwhile`}
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
    What you typed is still here and is not saved.
  </Notice>
);
