import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { createApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';

/** Creates a custom app without a sign-in and opens its page. */
export function CreateCustomApp({ disabledReason }: { disabledReason: string | null }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { run, isBusy } = useAction({ onError: toast.failed, leavesPage: true });
  const create = async () => {
    const app = await createApp(organizationId, { provider: 'custom' });
    await mutate(keysOf(organizationId, 'apps'));
    void navigate(paths.customApp(organizationId, app.id));
  };
  return (
    <GatedButton align="end" variant="default" disabledReason={disabledReason} loading={isBusy} onClick={() => void run(create)}>
      Create custom app
    </GatedButton>
  );
}
