import { useEffect, useState } from 'react';
import { createCustomer, openPortal, startCheckout } from '~/api/billing';
import { useOrganizationId } from '~/session/organization-context';
import { useUser } from '~/session/session-context';

type Destination = 'checkout' | 'portal';

/** The ways to the payment provider's own pages; the browser leaves for them. */
export function useBilling() {
  const organizationId = useOrganizationId();
  const { id: userId, email } = useUser();
  const [busyWith, setBusyWith] = useState<Destination | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    // Back from the provider's page by the browser's own button: the page stands as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusyWith(null);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
  const addressOf = async (destination: Destination): Promise<string> => {
    if (destination === 'portal') return (await openPortal(organizationId)).url;
    await createCustomer({ email, organizationId, userId });
    return (await startCheckout(organizationId)).url;
  };
  const go = async (destination: Destination) => {
    setBusyWith(destination);
    setError(null);
    try {
      location.assign(await addressOf(destination));
    } catch (thrown) {
      setError(thrown);
      setBusyWith(null);
    }
  };
  return { go, busyWith, error };
}
