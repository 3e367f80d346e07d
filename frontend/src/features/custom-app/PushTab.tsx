import { useState } from 'react';
import { Link } from 'react-router-dom';
import { usePushEndpoint } from '~/api/custom-apps';
import type { PushEndpoint } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { formatBytes, formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Notice } from '~/ui/feedback/Notice';
import { Section } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import { RelativeTime } from '~/ui/data/RelativeTime';
import styles from './CustomApp.module.css';
import { ExpectationsForm } from './ExpectationsForm';
import { PushKey } from './PushKey';
import { Receipts } from './Receipts';
import { sampleCurl } from './sample-curl';

const PushFacts = ({ endpoint }: { endpoint: PushEndpoint }) => (
  <DescriptionList
    facts={[
      { label: 'Stored events', value: formatCount(endpoint.eventsKept) },
      {
        label: 'Stored in the organization',
        value: `${formatCount(endpoint.quota.used)} of ${formatCount(endpoint.quota.events)} events`,
      },
      { label: 'Last event', value: <RelativeTime at={endpoint.lastEventAt} isFocusable /> },
      { label: 'Retention', value: `${endpoint.limits.keptDays} days` },
      { label: 'Events per request', value: `1 to ${formatCount(endpoint.limits.batchEvents)}` },
      { label: 'Request size', value: `up to ${formatBytes(endpoint.limits.bodyBytes)}` },
      { label: 'Event size', value: `up to ${formatBytes(endpoint.limits.eventBytes)}` },
      { label: 'Requests per minute', value: `up to ${formatCount(endpoint.limits.callsPerMinute)}` },
    ]}
  />
);

/** Sample request. Contains the key while it is in memory. */
function Sample({ endpoint, secret }: { endpoint: PushEndpoint; secret: string | null }) {
  const curl = sampleCurl(endpoint, secret);
  return (
    <Section title="Send an event" aside={<CopyButton text={curl} label="Copy sample request" />}>
      <p className="quiet">
        Send one event as an object, or several as a list. Status 202 means that all events are stored. If one event is invalid,
        none is stored and the response lists the errors.
      </p>
      <pre className={styles.sample} role="group" tabIndex={0} aria-label="Sample request">
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
    <Notice tone={isFull ? 'danger' : 'warn'} title={isFull ? 'Event quota exceeded' : 'Event quota almost exceeded'}>
      The organization stores {formatCount(quota.used)} of {formatCount(quota.events)} events.{' '}
      {isFull ? 'New events are rejected' : 'At the limit, new events are rejected'} until old events expire after{' '}
      {limits.keptDays} days.
    </Notice>
  );
}

function Endpoint({ appId, endpoint }: { appId: string; endpoint: PushEndpoint }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write', 'change this');
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <WithFacts facts={<PushFacts endpoint={endpoint} />}>
      <QuotaNotice endpoint={endpoint} />
      <Section title="Endpoint and key">
        <div className={styles.line}>
          <code>{endpoint.url}</code>
          <CopyButton text={endpoint.url} label="Copy endpoint URL" />
        </div>
        <PushKey appId={appId} endpoint={endpoint} secret={secret} onSecret={setSecret} disabledReason={disabledReason} />
      </Section>
      <Sample endpoint={endpoint} secret={secret} />
      <Section title="Processing">
        <p className="quiet">
          Events are validated, stored for {endpoint.limits.keptDays} days and listed here. A{' '}
          <Link to={paths.createConnection(organizationId)}>connection</Link> loads them into a destination, and a{' '}
          <Link to={paths.createConversion(organizationId)}>conversion</Link> sends them to an ad platform.
        </p>
      </Section>
      <Section title="Event schema">
        <ExpectationsForm appId={appId} endpoint={endpoint} disabledReason={disabledReason} />
      </Section>
      <Receipts appId={appId} />
    </WithFacts>
  );
}

/** Push endpoint: URL, key, event schema and the last payloads. */
export function PushTab({ appId }: { appId: string }) {
  const { data: endpoint, error, mutate } = usePushEndpoint(useOrganizationId(), appId);
  return (
    <LoadedContent
      data={endpoint}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load the endpoint"
      refreshError="nothing"
      skeleton={<TableSkeleton label="Loading the endpoint" rows={5} widths={['50%', '30%']} />}
    >
      {(loaded) => <Endpoint appId={appId} endpoint={loaded} />}
    </LoadedContent>
  );
}
