import { PasswordInput } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { Status } from '~/components/status/Status';
import { webhookStateOf } from '~/domain/payments/payment-state';
import { formatMoment } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './Payment.module.css';

type Webhook = Payment['webhook'];

const SECRET = /^whsec_[\w+/=-]{8,200}$/;

function Missing({ webhook: { missingEvents, missingSince } }: { webhook: Webhook }) {
  const now = useNow();
  return (
    <>
      <Status icon={IconAlertCircle} tone="warn">
        {plural(missingEvents, 'event')} not delivered
      </Status>
      <p className="label">
        {missingSince !== null && `Since ${formatMoment(missingSince, now)}. `}They were found in Stripe’s list and are loaded. In
        Stripe, check that the endpoint is on and has the address above.
      </p>
    </>
  );
}

/** Whether signed calls arrive with the entered secret. */
function Check({ webhook }: { webhook: Webhook }) {
  const { secretEnteredAt, lastDeliveryAt, checkedAt } = webhook;
  const state = webhookStateOf(webhook);
  return (
    <>
      {state === 'no_secret' && (
        <Status icon={IconCircleDashed} tone="idle">
          No secret entered, every call is rejected
        </Status>
      )}
      {state === 'no_delivery' && (
        <>
          <Status icon={IconCircleDashed} tone="idle">
            No signed call since the secret was entered
          </Status>
          <p className="label">
            Entered <RelativeTime at={secretEnteredAt} isFocusable />. Make a test payment in Stripe. If nothing arrives, the
            secret or the address differs.
          </p>
        </>
      )}
      {state === 'missing' && <Missing webhook={webhook} />}
      {state === 'works' && (
        <>
          <Status icon={IconCircleCheck} tone="good">
            Signed calls arrive
          </Status>
          <p className="label">
            Last call <RelativeTime at={lastDeliveryAt} isFocusable />
          </p>
        </>
      )}
      {checkedAt !== null && (
        <p className="label">
          Compared with Stripe’s own list of events <RelativeTime at={checkedAt} isFocusable />
        </p>
      )}
    </>
  );
}

function Secret({ payment }: { payment: Payment }) {
  const { enterSecret } = usePaymentActions(useOrganizationId());
  const disabledReason = usePermissionGate('apps.write');
  const [text, setText] = useState('');
  const { run, isBusy, error } = useAction();
  const secret = text.trim();
  const isWrong = secret !== '' && !SECRET.test(secret);
  const save = async () => {
    await enterSecret(payment.id, secret);
    setText('');
    toast.done('Signing secret saved');
  };
  return (
    <form
      className={styles.secret}
      onSubmit={(event) => {
        event.preventDefault();
        if (SECRET.test(secret) && disabledReason === null) void run(save);
      }}
    >
      <PasswordInput
        aria-label="Signing secret"
        placeholder={payment.webhook.secretState === 'entered' ? 'Saved. Enter another to replace it' : 'whsec_…'}
        autoComplete="off"
        spellCheck={false}
        disabled={disabledReason !== null}
        value={text}
        error={isWrong ? 'Enter a signing secret, which begins with whsec_' : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {error !== null && <ErrorText error={error} />}
      <GatedButton
        type="submit"
        disabledReason={disabledReason}
        waitsFor={secret === '' ? 'Enter a secret' : isWrong ? 'Not a signing secret' : null}
        loading={isBusy}
      >
        Save secret
      </GatedButton>
    </form>
  );
}

/** The set-up of the webhook endpoint in Stripe, in the order in which it is done. */
export function WebhookTab({ payment }: { payment: Payment }) {
  const { webhook } = payment;
  return (
    <div className={styles.form}>
      <SettingRow title="Address" hint="In Stripe under Developers, Webhooks, add an endpoint with this address.">
        <span className={styles.url}>
          <code>{webhook.url}</code>
          <CopyButton text={webhook.url} label="Copy the address" />
        </span>
      </SettingRow>
      <SettingRow title="Events" hint="Select these events for the endpoint.">
        <span className={styles.url}>
          {plural(webhook.events.length, 'event')}
          <CopyButton text={webhook.events.join('\n')} label="Copy the events" />
        </span>
        <ul className={styles.types}>
          {webhook.events.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </SettingRow>
      <SettingRow title="Signing secret" hint="Stripe shows it after the endpoint was added. It is stored encrypted.">
        <Secret payment={payment} />
      </SettingRow>
      <SettingRow title="Check" hint="Without webhooks, rows are at most an hour late. None is lost.">
        <Check webhook={webhook} />
      </SettingRow>
    </div>
  );
}
