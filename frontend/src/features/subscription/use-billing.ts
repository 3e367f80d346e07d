import { useEffect } from 'react';
import { createCustomer, openPortal, startCheckout } from '~/api/billing';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { useUser } from '~/session/session-context';

type Destination = 'checkout' | 'portal';

/** Opens checkout and portal pages of the payment provider in the current tab. */
export function useBilling() {
  const organizationId = useOrganizationId();
  const { id: userId, email } = useUser();
  const { run, busyWith, error, reset } = useAction<Destination>({ leavesPage: true });
  useEffect(() => {
    // The browser's back button restores the page from cache, with its busy state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  const urlOf = async (destination: Destination): Promise<string> => {
    if (destination === 'portal') return (await openPortal(organizationId)).url;
    await createCustomer({ email, organizationId, userId });
    return (await startCheckout(organizationId)).url;
  };
  const go = (destination: Destination) => run(async () => location.assign(await urlOf(destination)), destination);
  return { go, busyWith, error };
}
