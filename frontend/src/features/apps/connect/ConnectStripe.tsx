import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { createApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import { toast } from '~/components/feedback/toast';
import { StripeKeyForm } from '~/components/stripe-key/StripeKeyForm';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { FormDialog } from '~/ui/layout/FormDialog';

/** Stripe has no sign-in: a restricted key is entered and checked. The next step is its payment. */
export function ConnectStripe({ disabledReason }: { disabledReason: string | null }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const [isOpen, setOpen] = useState(false);
  const connect = async (apiKey: string) => {
    const app = await createApp(organizationId, { provider: 'stripe', credentials: { apiKey } });
    await mutate(keysOf(organizationId, 'apps'));
    toast.done(`${app.displayName} connected`);
    await navigate(paths.newPayment(organizationId, { app: app.id }));
  };
  return (
    <>
      <GatedButton align="end" variant="default" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Connect Stripe
      </GatedButton>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title="Connect Stripe">
        <StripeKeyForm submitLabel="Check and connect" disabledReason={null} onSubmit={connect} />
      </FormDialog>
    </>
  );
}
