import { Button } from '@mantine/core';
import { useSWRConfig } from 'swr';
import { approveSchemaChange, ignoreSchemaChange } from '~/api/connections/schema';
import { keysAboutConnection } from '~/api/http/keys';
import type { SchemaChange } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Gated } from '~/ui/inputs/GatedButton';
import { describeConsequence, describeSchemaChange } from './describe-schema-change';
import styles from './DataTab.module.css';

type Column = SchemaChange['columns'][number];

function Difference({ column, before, after }: Column) {
  return (
    <li className={styles.difference}>
      <code>{column}</code>
      {before !== null && <del>{before}</del>}
      {before !== null && after !== null && <span aria-hidden="true">→</span>}
      {after !== null && <ins>{after}</ins>}
    </li>
  );
}

function Decision({ change, connectionId }: { change: SchemaChange; connectionId: string }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, busyWith } = useAction<'approve' | 'ignore'>({ onError: toast.failed });
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const reason = roleReason ?? planReason;
  const decide = (decision: 'approve' | 'ignore') => async () => {
    const send = decision === 'approve' ? approveSchemaChange : ignoreSchemaChange;
    await send(organizationId, connectionId, change.id);
    await mutate(keysAboutConnection(organizationId, connectionId));
    toast.done(decision === 'approve' ? 'Change approved' : 'Change ignored');
  };
  const buttonOf = (decision: 'approve' | 'ignore', label: string) => (
    <Button
      size="xs"
      variant="default"
      disabled={reason !== null || isBusy}
      loading={busyWith === decision}
      onClick={() => void run(decide(decision), decision)}
      aria-label={`${label}: ${describeSchemaChange(change)}`}
    >
      {label}
    </Button>
  );
  return (
    <Gated disabledReason={reason}>
      <span className={styles.decision}>
        {change.actions.includes('approve') && buttonOf('approve', 'Approve')}
        {change.actions.includes('ignore') && buttonOf('ignore', 'Ignore')}
      </span>
    </Gated>
  );
}

export function SchemaChangeItem({ change, connectionId }: { change: SchemaChange; connectionId: string }) {
  return (
    <li className={styles.change}>
      <div className={styles.changeText}>
        <p className={styles.changeTitle}>{describeSchemaChange(change)}</p>
        {change.columns.length > 0 && (
          <ul className={styles.diff} aria-label="Changed columns">
            {change.columns.map((one) => (
              <Difference key={one.column} {...one} />
            ))}
          </ul>
        )}
        <p className="label">
          {change.isBreaking && 'Breaking. '}
          {describeConsequence(change)} Found <RelativeTime at={change.detectedAt} isFocusable />.
        </p>
      </div>
      {change.actions.length > 0 && <Decision change={change} connectionId={connectionId} />}
    </li>
  );
}
