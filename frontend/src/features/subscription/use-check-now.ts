import { useSWRConfig } from 'swr';
import { refreshSubscription } from '~/api/billing';
import { keys } from '~/api/http/keys';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { toast } from '~/components/feedback/toast';

/** Refreshes the subscription from the payment provider without waiting for its webhook. */
export function useCheckNow() {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const check = () =>
    run(async () => mutate(keys.subscription(organizationId), await refreshSubscription(organizationId), { revalidate: false }));
  return { check, isChecking: isBusy };
}
