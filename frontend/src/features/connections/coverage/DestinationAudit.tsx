import { Button, Tooltip } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { startConnectionAudit, useConnectionAudit } from '~/api/connections/connection-audit';
import type { Connection, ConnectionAudit, DestinationAudit as Audit } from '~/api/types';
import { formatCount, plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { icon } from '~/ui/icon';
import { Notice } from '~/ui/feedback/Notice';
import { Section } from '~/ui/layout/Page';
import { providerName } from '~/components/status/ProviderMark';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { useRunLink } from '~/features/connections/use-run-link';
import { toast } from '~/components/feedback/toast';
import { AuditDifferences } from './AuditDifferences';

function AuditButton({
  isActive,
  onStarted,
  connectionId,
}: {
  isActive: boolean;
  onStarted: (audit: ConnectionAudit) => void;
  connectionId: string;
}) {
  const organizationId = useOrganizationId();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const reason = roleReason ?? planReason ?? (isActive ? 'An audit is in progress' : null);
  const start = async () => onStarted(await startConnectionAudit(organizationId, connectionId));
  return (
    <Tooltip label={reason} disabled={reason === null}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconListSearch {...icon} />}
        disabled={reason !== null}
        loading={isBusy}
        onClick={() => void run(start)}
      >
        Audit now
      </Button>
    </Tooltip>
  );
}

const describeCurrent = ({ state }: Audit): string =>
  state === 'queued' ? 'An audit is queued. It starts after the active run.' : 'An audit is in progress.';

function Compared({ audit }: { audit: Audit }) {
  return (
    <>
      {plural(audit.accountDays, 'account-day')} and {plural(audit.rows, 'row')} in {plural(audit.tables, 'table')},{' '}
      <RelativeTime at={audit.endedAt} isFocusable />
      {audit.requestedBy === null ? ', nightly' : `, requested by ${audit.requestedBy}`}.
      {audit.accountDaysBySums > 0 &&
        ` ${formatCount(audit.accountDaysBySums)} account-days were loaded without column checksums and compared by rows, cost, clicks and impressions.`}
    </>
  );
}

function Result({ audit }: { audit: Audit }) {
  const linkTo = useRunLink();
  if (audit.state === 'failed')
    return (
      <Notice tone="danger" title="The last audit failed">
        {audit.failure?.message} {audit.failure?.action}.
      </Notice>
    );
  if (audit.differingAccountDays === 0)
    return (
      <p className="quiet">
        Destination matches the loaded data: <Compared audit={audit} />
      </p>
    );
  return (
    <>
      <Notice
        tone="warn"
        title={`${plural(audit.differingAccountDays, 'account-day differs', 'account-days differ')} from what was loaded`}
        actions={audit.runId && <Link to={linkTo(audit.runId)}>View the repair run</Link>}
      >
        <Compared audit={audit} /> Rows were changed, deleted or added at the destination.
      </Notice>
      <AuditDifferences audit={audit} />
    </>
  );
}

/** Compares the data in the destination with the data that was loaded. */
export function DestinationAudit({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useConnectionAudit(organizationId, connection.id);
  const provider = providerName(connection.destination.provider);
  return (
    <Section
      title="Destination audit"
      aside={
        data?.isAudited && (
          <AuditButton
            isActive={data.current !== null}
            connectionId={connection.id}
            onStarted={(audit) => void mutate(audit, { revalidate: false })}
          />
        )
      }
    >
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load the audit" onRetry={() => void mutate()} />}
      {!data && error === undefined && <TableSkeleton label="Loading the audit" rows={1} widths={['65%']} />}
      {data && !data.isAudited && (
        <p className="quiet">
          Not audited: {provider} cannot report its rows by account and day. Each run verifies the days it loads. Changes to older
          days are not detected.
        </p>
      )}
      {data?.isAudited && (
        <>
          <p className="quiet" aria-live="polite">
            {data.current
              ? describeCurrent(data.current)
              : data.last === null
                ? `No audit yet. ${provider} is compared with the loaded data every night.`
                : null}
          </p>
          {data.last && <Result audit={data.last} />}
        </>
      )}
    </Section>
  );
}
