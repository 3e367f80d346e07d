import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { createApp, useApps } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import { usePayments } from '~/api/payments/payments';
import type { App, Payment } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { ProviderMark } from '~/components/status/ProviderMark';
import { StripeKeyForm } from '~/components/stripe-key/StripeKeyForm';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import styles from './NewPayment.module.css';

interface AccountFieldProps {
  /** The selected app. */
  value: string | null;
  onChange: (app: { id: string; name: string }) => void;
}

const isWorking = ({ state }: App): boolean => state === 'connected' || state === 'expiring';

/** `acct_1, EUR`: the account with its settlement currencies. */
const accountText = ({ accounts }: App): string =>
  [accounts[0]?.externalId.split('/')[0], ...accounts.map(({ currency }) => currency)].filter(Boolean).join(', ');

/** Why the account cannot be selected; null when it can. */
function whyClosed(app: App, payments: Payment[]): string | null {
  const user = payments.find((payment) => payment.app.id === app.id);
  if (user) return `Used by ${user.name}`;
  return isWorking(app) ? null : 'Enter a valid key first';
}

function NewKey({ onChange, onCancel }: Pick<AccountFieldProps, 'onChange'> & { onCancel?: () => void }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write', 'enter a key');
  const { mutate } = useSWRConfig();
  const connect = async (apiKey: string) => {
    const app = await createApp(organizationId, { provider: 'stripe', credentials: { apiKey } });
    await mutate(keysOf(organizationId, 'apps'));
    onChange({ id: app.id, name: app.displayName });
    onCancel?.();
  };
  return <StripeKeyForm submitLabel="Connect Stripe" disabledReason={disabledReason} onSubmit={connect} onCancel={onCancel} />;
}

function Choices({ apps, payments, value, onChange }: AccountFieldProps & { apps: App[]; payments: Payment[] }) {
  const [isAdding, setAdding] = useState(false);
  const open = apps.filter((app) => whyClosed(app, payments) === null);
  const only = open.length === 1 ? open[0] : undefined;
  const isKnown = apps.some(({ id }) => id === value);
  // With one account there is nothing to choose.
  useEffect(() => {
    if (!isKnown && only) onChange({ id: only.id, name: only.displayName });
  }, [isKnown, only, onChange]);
  if (apps.length === 0) return <NewKey onChange={onChange} />;
  return (
    <>
      <ChoiceList
        label="Stripe account"
        name="app"
        value={isKnown ? value : null}
        onChange={(id) => onChange({ id, name: apps.find((app) => app.id === id)?.displayName ?? '' })}
        choices={apps.map((app) => {
          const reason = whyClosed(app, payments);
          return {
            ...{ id: app.id, title: app.displayName, detail: accountText(app) },
            ...{ aside: reason ?? app.credentialHint, isClosed: reason !== null },
            mark: <ProviderMark provider="stripe" />,
          };
        })}
      />
      <div className={styles.other}>
        {isAdding ? (
          <NewKey onChange={onChange} onCancel={() => setAdding(false)} />
        ) : (
          <Button variant="default" onClick={() => setAdding(true)}>
            Connect another account
          </Button>
        )}
      </div>
    </>
  );
}

/** A connected Stripe account without a payment, or the key of a new one. */
export function AccountField(props: AccountFieldProps) {
  const organizationId = useOrganizationId();
  const apps = useApps(organizationId);
  const payments = usePayments(organizationId);
  return (
    <LoadedContent
      data={apps.data && payments.data && { apps: apps.data.items, payments: payments.data.items }}
      error={apps.error ?? payments.error}
      reload={() => Promise.all([apps.mutate(), payments.mutate()])}
      errorTitle="Couldn’t load Stripe accounts"
      skeleton={<TableSkeleton label="Loading Stripe accounts" rows={1} widths={[20, '60%', 80]} />}
    >
      {(loaded) => (
        <Choices apps={loaded.apps.filter(({ provider }) => provider === 'stripe')} payments={loaded.payments} {...props} />
      )}
    </LoadedContent>
  );
}
