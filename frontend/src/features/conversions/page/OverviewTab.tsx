import { useFunnel } from '~/api/conversions/conversion-events';
import type { Conversion } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { describeSchedule } from '~/domain/connections/schedule';
import { matchCoverageOf } from '~/domain/conversions/conversion-state';
import { metaEventOf } from '~/domain/conversions/meta-event';
import { useOrganizationId } from '~/session/organization-context';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import { appText } from './app-text';
import { ConversionNotice } from './ConversionNotice';
import { FunnelView } from './FunnelView';
import { LiveConversionRun } from './LiveConversionRun';

function Facts({ conversion }: { conversion: Conversion }) {
  const { source, target, schedule, lastRunAt, nextRunAt, waitingUntil, since, testCode, desired } = conversion;
  const match = matchCoverageOf(conversion);
  const eventName = metaEventOf(target.settings);
  return (
    <Section title="Details">
      <DescriptionList
        facts={[
          { label: 'Source', value: source.name },
          { label: 'Action', value: target.name },
          ...(eventName === null ? [] : [{ label: 'Event', value: <code>{eventName}</code> }]),
          { label: 'Account', value: <code>{target.accountId}</code> },
          { label: 'App', value: appText(target) },
          { label: 'Schedule', value: describeSchedule(schedule) },
          { label: 'Last run', value: <RelativeTime at={lastRunAt} isFocusable /> },
          { label: 'Next run', value: <RelativeTime at={desired === 'active' ? nextRunAt : null} isFuture isFocusable /> },
          ...(waitingUntil ? [{ label: 'Waits until', value: <RelativeTime at={waitingUntil} isFuture isFocusable /> }] : []),
          { label: 'Events since', value: <RelativeTime at={since} isFocusable /> },
          { label: 'Match coverage', value: match ? `${match.share}, ${match.detail}, 7 days` : 'Not reported' },
          ...(testCode ? [{ label: 'Test code', value: <code>{testCode}</code> }] : []),
        ]}
      />
    </Section>
  );
}

export function OverviewTab({ conversion }: { conversion: Conversion }) {
  const { data, error, mutate } = useFunnel(useOrganizationId(), conversion.id);
  return (
    <>
      <ConversionNotice conversion={conversion} />
      <LiveConversionRun conversionId={conversion.id} />
      <WithFacts facts={<Facts conversion={conversion} />}>
        <LoadedContent
          data={data}
          error={error}
          reload={mutate}
          errorTitle="Couldn’t load the counts"
          refreshError="notice with age"
          skeleton={<TableSkeleton label="Loading the counts" rows={5} widths={['22%', '22%', '22%', '22%']} />}
        >
          {(funnel) => <FunnelView funnel={funnel} conversion={conversion} />}
        </LoadedContent>
      </WithFacts>
    </>
  );
}
