import { Loader } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Icon } from '@tabler/icons-react';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { connectionCan } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import { describeBulk } from './describe-bulk';
import styles from './BulkBar.module.css';

interface BulkAction {
  label: string;
  icon: Icon;
  /** Which of the selected connections allow it now. */
  isPossible: (connection: Connection) => boolean;
  describe: (count: number) => string;
  act: (connection: Connection) => Promise<unknown>;
}

function useBulkActions(): BulkAction[] {
  const { run, setActive } = useConnectionActions(useOrganizationId());
  const describe = (count: number) => `${plural(count, 'run')} started`;
  const start = ({ id }: Connection) => run(id);
  return [
    { label: 'Run', icon: IconPlayerPlay, isPossible: connectionCan.run, describe, act: start },
    { label: 'Retry', icon: IconRefresh, isPossible: connectionCan.retry, describe, act: start },
    {
      label: 'Pause',
      icon: IconPlayerPause,
      isPossible: connectionCan.pause,
      describe: (count) => `${plural(count, 'connection')} paused`,
      act: (connection) => setActive(connection, false),
    },
  ];
}

/** Acts on all connections at the same time. Returns those for which it failed, with the reasons. */
async function actOn(connections: Connection[], act: BulkAction['act']) {
  const outcomes = await Promise.allSettled(connections.map(act));
  return connections.flatMap((connection, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' ? [{ connection, error: outcome.reason as unknown }] : [];
  });
}

interface BulkBarProps {
  chosen: Connection[];
  onChoose: (ids: string[]) => void;
}

/** Loaded with the first selection. A connection for which an action failed stays selected. */
export default function BulkBar({ chosen, onChoose }: BulkBarProps) {
  const actions = useBulkActions();
  const disabledReason = usePermissionGate('connections.write');
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const start = async ({ label, describe, act, isPossible }: BulkAction) => {
    if (busyWith !== null) return;
    const connections = chosen.filter(isPossible);
    setBusyWith(label);
    const failures = await actOn(connections, act);
    setBusyWith(null);
    const summary = describeBulk(describe(connections.length - failures.length), failures);
    if (failures.length > 0) toast.problem(summary);
    else toast.done(summary);
    onChoose(failures.map(({ connection }) => connection.id));
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected connections" aria-busy={busyWith !== null}>
      <span className={styles.count}>{disabledReason ?? `${chosen.length} selected`}</span>
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          // The running one keeps the focus of the keyboard.
          disabled={disabledReason !== null || !(busyWith === null ? chosen.some(action.isPossible) : busyWith === action.label)}
          onClick={() => void start(action)}
        >
          {busyWith === action.label ? <Loader size={16} color="currentColor" /> : <action.icon {...icon} />} {action.label}
        </button>
      ))}
      <button type="button" aria-label="Clear the selection" className={styles.close} onClick={() => onChoose([])}>
        <IconX {...icon} />
      </button>
    </div>
  );
}
