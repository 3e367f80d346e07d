import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useSession } from '~/session/session-context';
import { OrganizationForm } from '~/components/organization/OrganizationForm';
import { logFailure } from '~/lib/log-failure';
import { toast } from '~/components/feedback/toast';
import { FormDialog } from '~/ui/layout/FormDialog';

export default function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { refreshOrganizations } = useSession();
  const navigate = useNavigate();
  const finish = async (organizationId: string) => {
    // The organization exists. A list that cannot be loaded now is loaded later, and must not keep the form open.
    await refreshOrganizations().catch((error: unknown) => logFailure('Refresh of the organizations', error));
    toast.done('Organization created successfully');
    onClose();
    void navigate(paths.connections(organizationId));
  };
  return (
    <FormDialog opened onClose={onClose} title="Create organization">
      <OrganizationForm isDefault={false} submitLabel="Create organization" onCreated={finish} />
    </FormDialog>
  );
}
