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

/** Opens the requested page once the guard has refreshed the subscription. */
function useRedirectWhenConfirmed(isConfirmed: boolean): void {
  const { id } = useOrganization();
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isConfirmed) return;
    const redirect = async () => {
      // If a refresh fails, the guard repeats it on the next page.
      await Promise.allSettled([mutate(keys.document(id)), mutate(keys.subscription(id))]);
      const target = targetAfterCheckout(id, readCallback());
      clearCallback();
      toast.done('The plan is active');
      await navigate(target, { replace: true });
    };
    void redirect();
  }, [isConfirmed, id, mutate, navigate]);
}

/** Return page of a completed checkout. */
function Confirming() {
  const { id, document } = useOrganization();
  const [parameters] = useSearchParams();
  const { verdict, startedAtMs, checkAgain } = useCheckoutCheck(id, parameters.get('session_id'));
  const isConfirmed = verdict?.kind === 'open';
  useTitle('Confirming the plan');
  useRedirectWhenConfirmed(isConfirmed);
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
