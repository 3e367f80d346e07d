import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { ActionButton } from '~/components/flow/ActionButton';
import { webhookMissingIcon } from '~/components/status/PaymentStatus';
import { healthIcons } from '~/components/status/Status';
import { healthTable, type Tone } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { isPausedAutomatically, nextActionOf, paymentHealthOf } from '~/domain/payments/payment-state';
import { useResumeGate, useRunGate } from '~/features/payments/use-run-gate';
import { sentence } from '~/lib/sentence';
import { useOrganizationId } from '~/session/organization-context';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Payment.module.css';

/** One action: the page where the cause is fixed, or another run. */
function Action({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = usePaymentActions(organizationId);
  const runReason = useRunGate(payment);
  const resumeReason = useResumeGate();
  const link = (to: string, label: string) => (
    <Button component={Link} to={to}>
      {label}
    </Button>
  );
  const { id, app, destinations, health } = payment;
  const broken = destinations.find((one) => one.health === health) ?? destinations[0];
  switch (nextActionOf(payment)) {
    case 'check_webhook':
      return link(paths.payment(organizationId, id, { tab: 'webhook' }), 'Set up the webhook');
    case 'enter_key':
      return link(paths.app(organizationId, app.id), 'Enter a key');
    case 'check_destination':
      return link(
        broken ? paths.destination(organizationId, broken.id) : paths.destinations(organizationId),
        'Check the destination',
      );
    case 'check_settings':
      return link(paths.payment(organizationId, id, { tab: 'settings' }), 'Check the settings');
    case 'resume':
      return (
        <ActionButton disabledReason={resumeReason} onAct={() => setActive(payment, true)}>
          Resume
        </ActionButton>
      );
    default:
      return (
        <ActionButton disabledReason={runReason} onAct={() => run(id)}>
          Run again
        </ActionButton>
      );
  }
}

function toneOf(payment: Payment): Tone {
  const health = paymentHealthOf(payment);
  if (health === 'webhook_missing') return 'warn';
  return isPausedAutomatically(payment) ? 'danger' : healthTable[health].tone;
}

/** The problem, its cause and one action. Renders nothing for a payment that is healthy, loading or paused by a user. */
export function PaymentNotice({ payment }: { payment: Payment }) {
  const health = paymentHealthOf(payment);
  const { failure, healthReason } = payment;
  const tone = toneOf(payment);
  if (tone === 'good' || tone === 'idle' || health === 'backfilling') return null;
  return (
    <div className={styles.notice}>
      <Notice
        tone={tone}
        icon={health === 'webhook_missing' ? webhookMissingIcon : healthIcons[health]}
        title={healthReason}
        actions={health === 'rate_limited' ? undefined : <Action payment={payment} />}
      >
        {failure && `${failure.message === healthReason ? '' : `${sentence(failure.message)} `}${sentence(failure.action)}`}
        {failure?.providerRequestId && (
          <>
            {' '}
            Request <code>{failure.providerRequestId}</code>
          </>
        )}
      </Notice>
    </div>
  );
}
