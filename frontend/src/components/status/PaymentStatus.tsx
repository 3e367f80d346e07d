import { IconWebhook } from '@tabler/icons-react';
import type { PaymentHealth } from '~/domain/payments/payment-state';
import { HealthStatus, Status } from './Status';

export const webhookMissingIcon = IconWebhook;

/** The health of a payment or of one of its destinations. */
export const PaymentStatus = ({ health }: { health: PaymentHealth }) =>
  health === 'webhook_missing' ? (
    <Status icon={IconWebhook} tone="warn">
      Webhook missing
    </Status>
  ) : (
    <HealthStatus health={health} />
  );
