import { useParams, useSearchParams } from 'react-router-dom';
import { useConversion } from '~/api/conversions/conversions';
import { isNotFound } from '~/api/http/problem';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import type { ConversionTab } from '~/domain/navigation/paths';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Page } from '~/ui/layout/Page';
import { TabLinks } from '~/ui/layout/TabLinks';
import { EventsTab } from './events/EventsTab';
import { ConversionHeader } from './page/ConversionHeader';
import { OverviewTab } from './page/OverviewTab';
import { ConsentTab, MappingTab } from './page/RulesTabs';
import { RunsTab } from './page/RunsTab';
import { SettingsTab } from './page/SettingsTab';

const TABS: { key: ConversionTab; label: string }[] = [
  { key: 'overview', label: 'Overview' },
  { key: 'events', label: 'Events' },
  { key: 'mapping', label: 'Mapping' },
  { key: 'consent', label: 'Consent' },
  { key: 'runs', label: 'Runs' },
  { key: 'settings', label: 'Settings' },
];

const contents = {
  overview: OverviewTab,
  events: EventsTab,
  mapping: MappingTab,
  consent: ConsentTab,
  runs: RunsTab,
  settings: SettingsTab,
};

export default function ConversionPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const [parameters] = useSearchParams();
  const { data, error, mutate } = useConversion(organizationId, id);
  useTitle(data?.name ?? 'Conversion');
  if (isNotFound(error) && !data) throw error;
  const tab = TABS.find(({ key }) => key === parameters.get('tab'))?.key ?? 'overview';
  const Content = contents[tab];
  return (
    <Page>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle={data ? 'Couldn’t refresh this conversion' : 'Couldn’t load this conversion'}
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading the conversion" rows={6} widths={['30%', '20%', '20%', 80]} />}
      >
        {(conversion) => (
          <>
            <ConversionHeader conversion={conversion} />
            <TabLinks
              label="Conversion"
              current={tab}
              tabs={TABS.map(({ key, label }) => ({ key, label, to: paths.conversion(organizationId, id, { tab: key }) }))}
            />
            <Content conversion={conversion} />
          </>
        )}
      </LoadedContent>
    </Page>
  );
}
