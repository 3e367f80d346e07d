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

/** Only for sources that no connection uses. */
export function DeleteSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { id, name, appName } = source;
  const refresh = () => mutate(keysOf(organizationId, 'sources', 'source', 'apps', 'app'));
  const restore = async () => {
    await restoreSource(organizationId, id);
    await refresh();
    toast.done(`${name} restored`);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      stops={['This account selection']}
      stays={[`The app ${appName} and its sign-in`, 'All loaded rows']}
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
