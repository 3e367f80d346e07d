import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { connectionCan } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import styles from './BulkBar.module.css';

type Describe = (count: number) => string;

async function forEach(
  connections: Connection[],
  describe: Describe,
  act: (connection: Connection) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(connections.map(act));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) toast.failed(failed.reason);
  else toast.done(describe(connections.length));
}

const runsStarted: Describe = (count) => `${plural(count, 'run')} started`;
const paused: Describe = (count) => `${plural(count, 'connection')} paused`;

/** Loaded with the first selection. */
export default function BulkBar({ chosen, onClear }: { chosen: Connection[]; onClear: () => void }) {
  const { run, setActive } = useConnectionActions(useOrganizationId());
  const disabledReason = usePermissionGate('connections.write');
  const runnable = chosen.filter((connection) => connectionCan.run(connection));
  const pausable = chosen.filter((connection) => connectionCan.pause(connection));
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected connections">
      <span className={styles.count}>{disabledReason ?? `${chosen.length} selected`}</span>
      <button
        type="button"
        disabled={disabledReason !== null || runnable.length === 0}
        onClick={() => void forEach(runnable, runsStarted, async ({ id }) => void (await run(id))).then(onClear)}
      >
        <IconPlayerPlay {...icon} /> Run
      </button>
      <button
        type="button"
        disabled={disabledReason !== null || pausable.length === 0}
        onClick={() => void forEach(pausable, paused, (connection) => setActive(connection, false)).then(onClear)}
      >
        <IconPlayerPause {...icon} /> Pause
      </button>
      <button type="button" aria-label="Clear the selection" className={styles.close} onClick={onClear}>
        <IconX {...icon} />
      </button>
    </div>
  );
}
