import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { enterAppKey } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import { usePayments } from '~/api/payments/payments';
import type { App } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { toast } from '~/components/feedback/toast';
import { PaymentStatus } from '~/components/status/PaymentStatus';
import { ProviderMark } from '~/components/status/ProviderMark';
import { StripeKeyForm } from '~/components/stripe-key/StripeKeyForm';
import { paths } from '~/domain/navigation/paths';
import { paymentHealthOf } from '~/domain/payments/payment-state';
import lines from '~/features/apps/Lines.module.css';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';

/** Replaces the key of a Stripe app with another one of the same account. Runs that failed continue. */
function Key({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write', 'enter a key');
  const { mutate } = useSWRConfig();
  const enter = async (apiKey: string) => {
    await enterAppKey(organizationId, app.id, { credentials: { apiKey } });
    await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory', 'payments', 'payment'));
    toast.done('Key saved. Missed days are loaded');
  };
  return (
    <Section title="Restricted key" aside="Of the same Stripe account">
      <StripeKeyForm submitLabel="Save key" disabledReason={disabledReason} onSubmit={enter} />
    </Section>
  );
}

/** The payment that reads the account, or a link to create it. */
function UsedBy({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = usePayments(organizationId);
  return (
    <Section title="Used by">
      <LoadedContent
        data={data?.items.filter((payment) => payment.app.id === app.id)}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the payment of this app"
        skeleton={<TableSkeleton label="Loading the payment" rows={1} widths={[20, '40%', 96]} />}
        isEmpty={(payments) => payments.length === 0}
        empty={
          <p className="quiet">
            No payment yet. <Link to={paths.newPayment(organizationId, { app: app.id })}>Create payment</Link>
          </p>
        }
      >
        {(payments) => (
          <ul className={lines.list}>
            {payments.map((payment) => (
              <li key={payment.id}>
                <ProviderMark provider="stripe" />
                <Link to={paths.payment(organizationId, payment.id)} className={lines.name}>
                  {payment.name}
                </Link>
                <PaymentStatus health={paymentHealthOf(payment)} />
              </li>
            ))}
          </ul>
        )}
      </LoadedContent>
    </Section>
  );
}

/** A Stripe app has a key instead of a sign-in, and one payment instead of sources and connections. */
export const StripeApp = ({ app }: { app: App }) => (
  <>
    <UsedBy app={app} />
    <Key app={app} />
  </>
);
