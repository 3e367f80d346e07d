import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { refreshSubscription } from '~/api/billing';
import { keys } from '~/api/http/keys';
import { useOrganizationId } from '~/session/organization-context';
import { toast } from '~/components/feedback/toast';

/** Refreshes the subscription from the payment provider without waiting for its webhook. */
export function useCheckNow() {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      await mutate(keys.subscription(organizationId), await refreshSubscription(organizationId), { revalidate: false });
    } catch (error) {
      toast.failed(error);
    }
    setChecking(false);
  };
  return { check, isChecking };
}
