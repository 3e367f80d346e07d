import { useState } from 'react';
import { usePushEndpoint } from '~/api/custom-apps';
import type { PushEndpoint } from '~/api/types';
import { formatBytes, formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Notice } from '~/ui/feedback/Notice';
import { Section, WithFacts } from '~/ui/layout/Page';
import { RelativeTime } from '~/ui/data/RelativeTime';
import styles from './CustomApp.module.css';
import { ExpectationsForm } from './ExpectationsForm';
import { PushKey } from './PushKey';
import { Receipts } from './Receipts';
import { sampleCurl } from './sample-curl';

const PushFacts = ({ endpoint }: { endpoint: PushEndpoint }) => (
  <DescriptionList
    facts={[
      { label: 'Events kept', value: formatCount(endpoint.eventsKept) },
      {
        label: 'Stored in the organization',
        value: `${formatCount(endpoint.quota.used)} of ${formatCount(endpoint.quota.events)} events`,
      },
      { label: 'Last event', value: <RelativeTime at={endpoint.lastEventAt} isFocusable /> },
      { label: 'Kept for', value: `${endpoint.limits.keptDays} days` },
      { label: 'Events in a call', value: `1 to ${formatCount(endpoint.limits.batchEvents)}` },
      { label: 'Size of a call', value: `up to ${formatBytes(endpoint.limits.bodyBytes)}` },
      { label: 'Size of an event', value: `up to ${formatBytes(endpoint.limits.eventBytes)}` },
      { label: 'Calls a minute', value: `up to ${formatCount(endpoint.limits.callsPerMinute)}` },
    ]}
  />
);

/** The sample, with the key in it while the key is still known. */
function Sample({ endpoint, secret }: { endpoint: PushEndpoint; secret: string | null }) {
  const curl = sampleCurl(endpoint, secret);
  return (
    <Section title="Send an event" aside={<CopyButton text={curl} label="Copy the sample call" />}>
      <p className="quiet">
        One event is an object; several are a list of them. Events are stored before the answer 202. When one of a call is wrong,
        none is stored, and the answer names each.
      </p>
      <pre className={styles.sample} role="group" tabIndex={0} aria-label="Sample call">
        <code>{curl}</code>
      </pre>
    </Section>
  );
}

const ALMOST_FULL = 0.9;

/** Warns before events are rejected. */
function QuotaNotice({ endpoint: { quota, limits } }: { endpoint: PushEndpoint }) {
  if (quota.used < quota.events * ALMOST_FULL) return null;
  const isFull = quota.used >= quota.events;
  return (
    <Notice tone={isFull ? 'danger' : 'warn'} title={isFull ? 'The event quota is used up' : 'The event quota is almost used up'}>
      The organization stores {formatCount(quota.used)} of {formatCount(quota.events)} events.{' '}
      {isFull ? 'New events are refused' : 'At the limit new events are refused'} until old ones expire after {limits.keptDays}{' '}
      days.
    </Notice>
  );
}

function Endpoint({ appId, endpoint }: { appId: string; endpoint: PushEndpoint }) {
  const disabledReason = usePermissionGate('apps.write', 'change this');
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <WithFacts facts={<PushFacts endpoint={endpoint} />}>
      <QuotaNotice endpoint={endpoint} />
      <Section title="Address and key">
        <div className={styles.line}>
          <code>{endpoint.url}</code>
          <CopyButton text={endpoint.url} label="Copy the address" />
        </div>
        <PushKey appId={appId} endpoint={endpoint} secret={secret} onSecret={setSecret} disabledReason={disabledReason} />
      </Section>
      <Sample endpoint={endpoint} secret={secret} />
      <Section title="What becomes of events">
        <p className="quiet">
          They are checked, stored and shown here, and kept for {endpoint.limits.keptDays} days. Nothing is made of them yet: this
          version sends no conversions. Conversions that come later can use the events that are kept then.
        </p>
      </Section>
      <Section title="What an event must be">
        <ExpectationsForm appId={appId} endpoint={endpoint} disabledReason={disabledReason} />
      </Section>
      <Receipts appId={appId} />
    </WithFacts>
  );
}

/** Where events are pushed to, with what key, what they must be, and what became of the last ones. */
export function PushTab({ appId }: { appId: string }) {
  const { data: endpoint, error, mutate } = usePushEndpoint(useOrganizationId(), appId);
  if (error !== undefined && !endpoint)
    return <ErrorNotice error={error} title="The endpoint could not be fetched" onRetry={() => void mutate()} />;
  if (!endpoint) return <TableSkeleton label="Loading the endpoint" rows={5} widths={['50%', '30%']} />;
  return <Endpoint appId={appId} endpoint={endpoint} />;
}
