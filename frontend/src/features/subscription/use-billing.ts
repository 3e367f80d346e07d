import { useEffect, useState } from 'react';
import { createCustomer, openPortal, startCheckout } from '~/api/billing';
import { useOrganizationId } from '~/session/organization-context';
import { useUser } from '~/session/session-context';

type Destination = 'checkout' | 'portal';

/** Opens checkout and portal pages of the payment provider in the current tab. */
export function useBilling() {
  const organizationId = useOrganizationId();
  const { id: userId, email } = useUser();
  const [busyWith, setBusyWith] = useState<Destination | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    // The browser's back button restores the page from cache, with its busy state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusyWith(null);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
  const urlOf = async (destination: Destination): Promise<string> => {
    if (destination === 'portal') return (await openPortal(organizationId)).url;
    await createCustomer({ email, organizationId, userId });
    return (await startCheckout(organizationId)).url;
  };
  const go = async (destination: Destination) => {
    setBusyWith(destination);
    setError(null);
    try {
      location.assign(await urlOf(destination));
    } catch (thrown) {
      setError(thrown);
      setBusyWith(null);
    }
  };
  return { go, busyWith, error };
}
