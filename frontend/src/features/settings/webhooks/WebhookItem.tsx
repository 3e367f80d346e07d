import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import {
  deleteWebhook,
  restoreWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  useNotificationRules,
} from '~/api/notifications';
import type { Webhook } from '~/api/types';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Status } from '~/components/status/Status';
import { paths } from '~/domain/navigation/paths';
import { restorableNote } from '~/domain/time/restorable';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { DeliveryLog } from './DeliveryLog';
import styles from './Webhooks.module.css';

interface WebhookStatusProps extends Webhook {
  hasRule: boolean;
}

function WebhookStatus({ isEnabled, disabledReason, failingSince, hasRule }: WebhookStatusProps) {
  if (!isEnabled && disabledReason === 'failures')
    return (
      <Status icon={IconCircleX} tone="danger">
        Disabled after failures
      </Status>
    );
  if (!isEnabled)
    return (
      <Status icon={IconPlayerPause} tone="idle">
        Disabled
      </Status>
    );
  if (!hasRule)
    return (
      <Status icon={IconCircleX} tone="warn">
        Receives nothing: no rule
      </Status>
    );
  return (
    <Status icon={failingSince === null ? IconCircleCheck : IconCircleX} tone={failingSince === null ? 'good' : 'warn'}>
      {failingSince === null ? 'Enabled' : 'Failing'}
    </Status>
  );
}

function DeleteWebhookDialog({ webhook: { id, name, kind }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const reload = () => mutate(keysOf(organizationId, 'webhooks', 'webhookDeliveries', 'notificationRules'));
  return (
    <DeleteDialog
      name={name}
      kind="webhook"
      onClose={onClose}
      stops={['Notifications to this webhook, and its rules']}
      stays={['Alerts', 'Other webhooks']}
      note={`${restorableNote(new Date())} Its ${kind === 'slack' ? 'address' : 'signing secret'} stays encrypted until then and is erased afterwards.`}
      onDelete={() => deleteWebhook(organizationId, id)}
      onDeleted={reload}
      onRestore={async () => {
        await restoreWebhook(organizationId, id);
        await reload();
      }}
    />
  );
}

const MissingRule = () => (
  <p className={styles.hint}>
    Add or enable a rule for it in <Link to={paths.settings(useOrganizationId(), { tab: 'notifications' })}>Notifications</Link>.
  </p>
);

export function WebhookItem({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const [isLogOpen, setLogOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { id, name, kind, isEnabled, version } = webhook;
  const { data: rules } = useNotificationRules(organizationId);
  // Until the rules are loaded, nothing is wrong.
  const hasRule = rules === undefined || rules.items.some((rule) => rule.isEnabled && rule.endpoint?.id === id);
  const reload = () => mutate(keysOf(organizationId, 'webhooks', 'webhookDeliveries', 'notificationRules'));
  // After a conflict too, so that the next try is based on the newest version.
  const act = (work: () => Promise<unknown>) => void run(() => work().finally(reload));
  const rotate = async () => {
    const { secret } = await rotateWebhookSecret(organizationId, id);
    if (secret !== null) onSecret(secret);
  };
  const test = async () => {
    await testWebhook(organizationId, id);
    setLogOpen(true);
  };
  const small = { size: 'xs', variant: 'default', disabled: isBusy } as const;
  return (
    <li className={styles.webhook}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <WebhookStatus {...webhook} hasRule={hasRule} />
      </div>
      <p className={styles.address}>{kind === 'slack' ? `Slack, ${webhook.host}` : webhook.url}</p>
      {isEnabled && !hasRule && <MissingRule />}
      <div className={styles.buttons}>
        <Button {...small} disabled={isBusy || !isEnabled} aria-label={`Send test event to ${name}`} onClick={() => act(test)}>
          Send test event
        </Button>
        <Button
          {...small}
          aria-label={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
          onClick={() => act(() => updateWebhook(organizationId, id, { isEnabled: !isEnabled, version }))}
        >
          {isEnabled ? 'Disable' : 'Enable'}
        </Button>
        {kind === 'signed' && (
          <Button {...small} aria-label={`Rotate secret of ${name}`} onClick={() => act(rotate)}>
            Rotate secret
          </Button>
        )}
        <Button {...small} aria-expanded={isLogOpen} aria-label={`Deliveries of ${name}`} onClick={() => setLogOpen(!isLogOpen)}>
          Deliveries
        </Button>
        <Button {...small} variant="subtle" aria-label={`Delete ${name}`} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      {error !== null && <ErrorText error={error} />}
      {isLogOpen && <DeliveryLog endpointId={id} name={name} />}
      {isDeleting && <DeleteWebhookDialog webhook={webhook} onClose={() => setDeleting(false)} />}
    </li>
  );
}
