import { Switch, Tooltip } from '@mantine/core';
import { toast } from '~/components/feedback/toast';

interface ActiveSwitchProps {
  name: string;
  isActive: boolean;
  disabledReason: string | null;
  /** Updates optimistically and rolls back if the server rejects the change. */
  onChange: (isActive: boolean) => Promise<unknown>;
}

/** Pauses or resumes a connection, a conversion or a payment. */
export const ActiveSwitch = ({ name, isActive, disabledReason, onChange }: ActiveSwitchProps) => (
  <Tooltip label={disabledReason} disabled={disabledReason === null}>
    <Switch
      checked={isActive}
      disabled={disabledReason !== null}
      onChange={(event) => void onChange(event.currentTarget.checked).catch(toast.failed)}
      aria-label={`${name} is on`}
    />
  </Tooltip>
);
