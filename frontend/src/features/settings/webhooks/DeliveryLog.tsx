import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHourglass } from '@tabler/icons-react';
import { redeliverWebhook, useWebhookDeliveries } from '~/api/notifications';
import type { WebhookDelivery } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Status } from '~/components/status/Status';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import styles from './Webhooks.module.css';

const STATES = {
  queued: { icon: IconHourglass, tone: 'accent', word: 'Waiting' },
  delivered: { icon: IconCircleCheck, tone: 'good', word: 'Delivered' },
  failed: { icon: IconCircleX, tone: 'danger', word: 'Failed' },
} as const;

function Delivery({ delivery, endpointId, reload }: { delivery: WebhookDelivery; endpointId: string; reload: () => unknown }) {
  const organizationId = useOrganizationId();
  const { run, isBusy, error } = useAction();
  const { icon, tone, word } = STATES[delivery.state];
  const send = async () => {
    await redeliverWebhook(organizationId, endpointId, delivery.id);
    await reload();
  };
  return (
    <li className={styles.delivery}>
      <Status icon={icon} tone={tone}>
        {word}
      </Status>
      <code>{delivery.event}</code>
      <span>
        <RelativeTime at={delivery.createdAt} />, {plural(delivery.attempts, 'attempt')}
        {delivery.responseStatus !== null && `, status ${delivery.responseStatus}`}
      </span>
      <Button
        size="xs"
        variant="subtle"
        loading={isBusy}
        aria-label={`Send again: ${delivery.event}`}
        onClick={() => void run(send)}
      >
        Send again
      </Button>
      {delivery.lastError !== null && <p className={styles.error}>{delivery.lastError}</p>}
      {delivery.responseExcerpt !== null && delivery.responseExcerpt !== '' && (
        <pre className={styles.excerpt}>{delivery.responseExcerpt}</pre>
      )}
      {error !== null && <ErrorText error={error} />}
    </li>
  );
}

/** The newest deliveries of a webhook. */
export function DeliveryLog({ endpointId, name }: { endpointId: string; name: string }) {
  const { data, error, mutate } = useWebhookDeliveries(useOrganizationId(), endpointId);
  return (
    <section aria-label={`Deliveries of ${name}`} className={styles.log}>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load deliveries"
        skeleton={<TableSkeleton label="Loading deliveries" rows={3} widths={[80, 120, 120]} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className={styles.none}>Nothing was sent yet.</p>}
      >
        {({ items }) => (
          <>
            <div className={styles.logHead}>
              <h4>Latest deliveries</h4>
              <Button size="xs" variant="subtle" onClick={() => void mutate()}>
                Refresh
              </Button>
            </div>
            <ul className={styles.list}>
              {items.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} endpointId={endpointId} reload={mutate} />
              ))}
            </ul>
          </>
        )}
      </LoadedContent>
    </section>
  );
}
