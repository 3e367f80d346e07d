import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { useTitle } from '~/lib/use-title';
import { clearCallback, readCallback } from '~/session/callback';
import { useOrganization } from '~/session/organization-context';
import { Page, PageHeader } from '~/ui/layout/Page';
import { toast } from '~/components/feedback/toast';
import { targetAfterCheckout } from './after-checkout';
import { BillingOnly } from '~/features/subscription/BillingOnly';
import { CheckoutOutcome } from './CheckoutOutcome';
import { CheckoutProgress } from './CheckoutProgress';
import { useCheckoutCheck } from './use-checkout-check';

/** Goes on to the page that was wanted, once the guard knows that it may be entered. */
function useLeadOn(isConfirmed: boolean): void {
  const { id } = useOrganization();
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isConfirmed) return;
    const leadOn = async () => {
      // What cannot be asked for anew right now, the guard asks for on the next page.
      await Promise.allSettled([mutate(keys.document(id)), mutate(keys.subscription(id))]);
      const target = targetAfterCheckout(id, readCallback());
      clearCallback();
      toast.done('The plan is active: everything is open');
      await navigate(target, { replace: true });
    };
    void leadOn();
  }, [isConfirmed, id, mutate, navigate]);
}

/** Where a checkout comes back to. */
function Confirming() {
  const { id, document } = useOrganization();
  const [parameters] = useSearchParams();
  const { verdict, startedAtMs, checkAgain } = useCheckoutCheck(id, parameters.get('session_id'));
  const isConfirmed = verdict?.kind === 'open';
  useTitle('Confirming the plan');
  useLeadOn(isConfirmed);
  return (
    <Page width="form">
      <PageHeader title="Confirming the plan" subtitle={document?.company_name} />
      {verdict === null || isConfirmed ? (
        <CheckoutProgress key={startedAtMs} startedAtMs={startedAtMs} isConfirmed={isConfirmed} />
      ) : (
        <CheckoutOutcome verdict={verdict} onCheckAgain={checkAgain} />
      )}
    </Page>
  );
}

const SuccessPage = () => (
  <BillingOnly>
    <Confirming />
  </BillingOnly>
);

export default SuccessPage;
