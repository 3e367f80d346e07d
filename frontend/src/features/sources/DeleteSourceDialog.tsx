import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { deleteSource, restoreSource } from '~/api/sources';
import type { Source } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { restorableNote } from '~/domain/time/restorable';
import { useOrganizationId } from '~/session/organization-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';

/** For a source that no connection reads. */
export function DeleteSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { id, name, appName } = source;
  const refresh = () => mutate(keysOf(organizationId, 'sources', 'source', 'apps', 'app'));
  const restore = async () => {
    await restoreSource(organizationId, id);
    await refresh();
    toast.done(`${name} is back`);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      stops={['This choice of accounts']}
      stays={[`The app ${appName} and its sign-in`, 'Every row that was loaded']}
      note={restorableNote(new Date())}
      confirmLabel="Delete source"
      onConfirm={async () => {
        await deleteSource(organizationId, id);
        toast.done(`${name} deleted`, { label: 'Undo', onClick: () => void restore().catch(toast.failed) });
        void navigate(paths.sources(organizationId));
        await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
      }}
    />
  );
}
