import { Button, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { toast } from '~/components/feedback/toast';
import { useAction } from '~/lib/use-action';
import { icon } from '~/ui/icon';

interface RunButtonProps {
  disabledReason: string | null;
  /** The reason is shown elsewhere, for several controls. */
  isLocked?: boolean;
  onRun: () => Promise<unknown>;
}

/** Starts a run from the header of a page. */
export function RunButton({ disabledReason, isLocked = false, onRun }: RunButtonProps) {
  const { run, isBusy } = useAction({ onError: toast.failed });
  return (
    <Tooltip label={disabledReason} disabled={disabledReason === null || isLocked}>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay {...icon} />}
        disabled={disabledReason !== null || isLocked}
        loading={isBusy}
        onClick={() => void run(onRun)}
      >
        Run now
      </Button>
    </Tooltip>
  );
}
