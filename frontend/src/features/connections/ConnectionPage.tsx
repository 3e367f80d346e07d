import { useSearchParams, useParams } from 'react-router-dom';
import { useConnection } from '~/api/connections/connections';
import { isNotFound } from '~/api/http/problem';
import type { ConnectionTab } from '~/domain/navigation/paths';
import { paths } from '~/domain/navigation/paths';
import { useLoadedAt } from '~/lib/use-loaded-at';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Page } from '~/ui/layout/Page';
import { TabLinks } from '~/ui/layout/TabLinks';
import { activeRunOf } from './describe-connection';
import { ConnectionSkeleton } from './page/ConnectionSkeleton';
import { ConnectionHeader } from './page/ConnectionHeader';
import { OverviewTab } from './overview/OverviewTab';
import { ChangesTab } from './changes/ChangesTab';
import { CoverageTab } from './coverage/CoverageTab';
import { BackfillsTab } from './backfills/BackfillsTab';
import { RunsTab } from './runs/RunsTab';
import { RunDrawer } from './runs/RunDrawer';
import { DataTab } from './data/DataTab';
import { SettingsTab } from './page/SettingsTab';

const TABS: { key: ConnectionTab; label: string }[] = [
  { key: 'overview', label: 'Overview' },
  { key: 'coverage', label: 'Coverage' },
  { key: 'runs', label: 'Runs' },
  { key: 'backfills', label: 'Backfills' },
  { key: 'data', label: 'Data' },
  { key: 'changes', label: 'Changes' },
  { key: 'settings', label: 'Settings' },
];

const contents = {
  overview: OverviewTab,
  coverage: CoverageTab,
  runs: RunsTab,
  backfills: BackfillsTab,
  data: DataTab,
  changes: ChangesTab,
  settings: SettingsTab,
};

export default function ConnectionPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const { data: connection, error, mutate } = useConnection(organizationId, id);
  const loadedAt = useLoadedAt(connection);
  useTitle(connection?.name ?? 'Connection');
  if (isNotFound(error) && !connection) throw error;
  const tab = TABS.find(({ key }) => key === parameters.get('tab'))?.key ?? 'overview';
  const Content = contents[tab];
  const runId = parameters.get('run');
  const closeRun = () =>
    setParameters(
      (before) => {
        before.delete('run');
        before.delete('details');
        return before;
      },
      { replace: true },
    );
  const changes = connection?.pendingSchemaChanges ?? 0;
  const changesBadge = changes > 0 ? String(changes) : undefined;
  const liveBadge = connection && activeRunOf(connection) ? '1 live' : undefined;
  return (
    <Page>
      {error !== undefined && (
        <div style={{ marginBottom: 20 }}>
          <ErrorNotice
            error={error}
            title={connection ? 'Couldn’t refresh this connection' : 'Couldn’t load this connection'}
            loadedAt={connection ? loadedAt : null}
            onRetry={() => void mutate()}
          />
        </div>
      )}
      {connection === undefined && error === undefined && <ConnectionSkeleton />}
      {connection && (
        <>
          <ConnectionHeader connection={connection} />
          <TabLinks
            label="Connection"
            current={tab}
            tabs={TABS.map(({ key, label }) => ({
              key,
              label,
              to: paths.connection(organizationId, id, { tab: key }),
              badge: key === 'runs' ? liveBadge : key === 'data' ? changesBadge : undefined,
            }))}
          />
          <Content connection={connection} />
          <RunDrawer connection={connection} runId={runId} onClose={closeRun} />
        </>
      )}
    </Page>
  );
}
