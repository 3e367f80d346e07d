import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSources } from '~/api/sources';
import type { Source } from '~/api/types';
import { formatDayRange } from '~/lib/dates';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useSeenAt } from '~/lib/use-seen-at';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { Status } from '~/components/status/Status';
import listStyles from '~/ui/layout/ItemTable.module.css';
import table from '~/ui/layout/Table.module.css';
import { sourceTable } from '~/domain/connections/source-state';

function Row({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const { earliestDataAt, latestDataAt } = source;
  const usedBy = source.usedBy === 0 ? null : plural(source.usedBy, 'connection');
  const data = earliestDataAt && latestDataAt ? formatDayRange(earliestDataAt, latestDataAt, now) : null;
  const { word, tone, icon: stateIcon } = sourceTable[source.state];
  return (
    <tr data-link>
      <td>
        <span className={listStyles.identity}>
          <ProviderMark provider={source.provider} />
          <span>
            <Link to={paths.source(organizationId, source.id, source.provider)} className={table.name}>
              {source.name}
            </Link>
            <span className={table.second}>
              {source.appName}
              <span className={listStyles.narrow}>
                {[usedBy, data].filter((part) => part !== null).map((part) => `, ${part}`)}
              </span>
            </span>
          </span>
        </span>
      </td>
      <td>
        {plural(source.accounts.length, 'account')}
        <span className={table.second}>{source.accounts.map(({ name }) => name).join(', ')}</span>
      </td>
      <td>
        <Status icon={stateIcon} tone={tone}>
          {word}
        </Status>
      </td>
      <td className={listStyles.wide}>{usedBy ?? '—'}</td>
      <td className={listStyles.wide}>{data ?? '—'}</td>
    </tr>
  );
}

export default function SourcesPage() {
  useTitle('Sources');
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('sources.write');
  const { data, error, mutate } = useSources(organizationId);
  const seenAt = useSeenAt(data);
  const add = (size: 'sm' | 'md') => (
    <GatedButton
      align="end"
      disabledReason={disabledReason}
      to={paths.addSource()}
      onClick={clearFlowState}
      size={size}
      leftSection={<IconPlus {...icon} />}
    >
      Add source
    </GatedButton>
  );
  return (
    <Page>
      <PageHeader title="Sources" actions={data?.items.length ? add('sm') : undefined} />
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load sources" seenAt={data ? seenAt : null} onRetry={() => void mutate()} />
      )}
      {!data && error === undefined && <TableSkeleton label="Loading sources" rows={4} widths={['28%', '28%', 80, 80]} />}
      {data?.items.length === 0 && (
        <EmptyState title="No sources yet" action={add('md')}>
          A source is a selection of ad accounts of one app.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <table className={`${table.table} ${listStyles.items}`} data-rows="two">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Accounts</th>
              <th scope="col">State</th>
              <th scope="col" className={listStyles.wide}>
                Used by
              </th>
              <th scope="col" className={listStyles.wide}>
                Data
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((source) => (
              <Row key={source.id} source={source} />
            ))}
          </tbody>
        </table>
      )}
    </Page>
  );
}
