import { useState } from 'react';
import { useOrganizationProfile } from '~/api/organization';
import { useWebhooks } from '~/api/notifications';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import { CreateWebhookForm } from './CreateWebhookForm';
import { NewSecret } from './NewSecret';
import { WebhookItem } from './WebhookItem';
import styles from './Webhooks.module.css';

const SKELETON = <TableSkeleton label="Loading webhooks" rows={2} widths={['40%', 120, 80]} />;

export function WebhooksTab() {
  const organizationId = useOrganizationId();
  const { data: organization, error: profileError, mutate: reloadProfile } = useOrganizationProfile(organizationId);
  const disabledReason = usePermissionGate('webhooks.read');
  const { data, error, mutate } = useWebhooks(organizationId, organization !== undefined && disabledReason === null);
  const [secret, setSecret] = useState<string | null>(null);
  if (!organization && profileError !== undefined)
    return <ErrorNotice error={profileError} title="Couldn’t load your permissions" onRetry={() => void reloadProfile()} />;
  if (!organization) return SKELETON;
  if (disabledReason !== null) return <LockedReason>Only admins can manage webhooks</LockedReason>;
  return (
    <>
      {secret === null ? (
        <CreateWebhookForm onSecret={setSecret} />
      ) : (
        <NewSecret secret={secret} onDone={() => setSecret(null)} />
      )}
      <Section title="Webhooks">
        <LoadedContent
          data={data}
          error={error}
          reload={mutate}
          errorTitle="Couldn’t load webhooks"
          refreshError="notice with age"
          skeleton={SKELETON}
          isEmpty={({ items }) => items.length === 0}
          empty={<p className={styles.none}>No webhooks yet. A webhook sends alerts to your own systems or to Slack.</p>}
        >
          {({ items }) => (
            <ul className={styles.list} aria-label="Webhooks">
              {items.map((webhook) => (
                <WebhookItem key={webhook.id} webhook={webhook} onSecret={setSecret} />
              ))}
            </ul>
          )}
        </LoadedContent>
      </Section>
    </>
  );
}
