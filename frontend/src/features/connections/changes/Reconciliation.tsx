import { Button, Tooltip } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { startReconciliation, useReconciliation } from '~/api/connections/changes';
import type { Connection, ConnectionReconciliation, Reconciliation as Entry } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { toast } from '~/components/feedback/toast';
import { providerName } from '~/components/status/ProviderMark';
import { useRunLink } from '~/features/connections/use-run-link';
import { formatCount, plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Notice } from '~/ui/feedback/Notice';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import { Exclusions } from './Exclusions';
import { ReconciliationDifferences } from './ReconciliationDifferences';

interface ReconcileButtonProps {
  connectionId: string;
  isActive: boolean;
  onStarted: (answer: ConnectionReconciliation) => void;
}

function ReconcileButton({ connectionId, isActive, onStarted }: ReconcileButtonProps) {
  const organizationId = useOrganizationId();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const reason = roleReason ?? planReason ?? (isActive ? 'A reconciliation is in progress' : null);
  const start = async () => onStarted(await startReconciliation(organizationId, connectionId));
  return (
    <Tooltip label={reason} disabled={reason === null}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconScale {...icon} />}
        disabled={reason !== null}
        loading={isBusy}
        onClick={() => void run(start)}
      >
        Reconcile now
      </Button>
    </Tooltip>
  );
}

function Compared({ entry }: { entry: Entry }) {
  return (
    <>
      {plural(entry.accountDays, 'account-day')} of {plural(entry.accounts, 'account')} compared with{' '}
      {plural(entry.apiCalls, 'request')}, <RelativeTime at={entry.endedAt} isFocusable />
      {entry.requestedBy === null ? ', nightly' : `, requested by ${entry.requestedBy}`}.
      {entry.skippedAccounts > 0 && ` ${plural(entry.skippedAccounts, 'account')} could not be read.`}
    </>
  );
}

function titleOf({ lostAccountDays, restatedAccountDays }: Entry): string {
  const parts = [
    lostAccountDays > 0 && `${plural(lostAccountDays, 'account-day')} with lost rows`,
    restatedAccountDays > 0 && plural(restatedAccountDays, 'restated account-day'),
  ].filter((part) => part !== false);
  return parts.join(' and ');
}

function Result({ entry }: { entry: Entry }) {
  const linkTo = useRunLink();
  const { lostAccountDays, restatedAccountDays, lateAccountDays, excludedAccountDays } = entry;
  if (entry.state === 'failed' || entry.state === 'skipped')
    return (
      <Notice
        tone={entry.state === 'failed' ? 'danger' : 'warn'}
        title={entry.state === 'failed' ? 'The last reconciliation failed' : 'The last reconciliation was skipped'}
      >
        {entry.failure?.message} {entry.failure?.action}.
      </Notice>
    );
  const others = [
    lateAccountDays > 0 && `${formatCount(lateAccountDays)} late`,
    excludedAccountDays > 0 && `${formatCount(excludedAccountDays)} excluded`,
  ].filter((part) => part !== false);
  const isRepaired = lostAccountDays + restatedAccountDays > 0;
  return (
    <>
      {isRepaired ? (
        <Notice
          tone="warn"
          title={titleOf(entry)}
          actions={entry.runId && <Link to={linkTo(entry.runId)}>View the repair run</Link>}
        >
          <Compared entry={entry} /> {entry.runId ? 'They are loaded again.' : 'The next run loads them again.'}
        </Notice>
      ) : (
        <p className="quiet">
          {others.length === 0
            ? 'Every compared day equals the platform’s totals: '
            : `${others.join(', ')}, nothing to repair: `}
          <Compared entry={entry} />
        </p>
      )}
      {entry.differences.length > 0 && <ReconciliationDifferences entry={entry} />}
      <Exclusions entry={entry} />
    </>
  );
}

function statusOf({ current, last }: ConnectionReconciliation, provider: string): string | null {
  if (current)
    return current.state === 'queued'
      ? 'A reconciliation is queued. It starts after the active run.'
      : 'A reconciliation is in progress.';
  return last === null ? `No reconciliation yet. Settled days are compared with the totals of ${provider} every night.` : null;
}

/** Compares loaded days with the platform's own totals of the accounts. */
export function Reconciliation({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useReconciliation(organizationId, connection.id);
  const provider = providerName(connection.source.provider);
  return (
    <Section
      title="Reconciliation"
      aside={
        data?.isReconciled && (
          <ReconcileButton
            connectionId={connection.id}
            isActive={data.current?.state === 'running'}
            onStarted={(answer) => void mutate(answer, { revalidate: false })}
          />
        )
      }
    >
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load the reconciliation" onRetry={() => void mutate()} />
      )}
      {!data && error === undefined && <TableSkeleton label="Loading the reconciliation" rows={1} widths={['65%']} />}
      {data && !data.isReconciled && <p className="quiet">Not reconciled: {provider} has no totals of its accounts.</p>}
      {data?.isReconciled && (
        <>
          <p className="quiet" aria-live="polite">
            {statusOf(data, provider)}
          </p>
          {data.last && <Result entry={data.last} />}
        </>
      )}
    </Section>
  );
}
