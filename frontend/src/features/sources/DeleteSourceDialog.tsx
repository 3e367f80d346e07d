import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { deleteSource, restoreSource } from '~/api/sources';
import type { Source } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';

/** Only for sources that no connection uses. */
export function DeleteSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { id, name, appName } = source;
  return (
    <DeleteDialog
      name={name}
      kind="source"
      onClose={onClose}
      stops={['This account selection']}
      stays={[`The app ${appName} and its sign-in`, 'All loaded rows']}
      onDelete={() => deleteSource(organizationId, id)}
      onDeleted={() => {
        void navigate(paths.sources(organizationId));
        return mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
      }}
      onRestore={async () => {
        await restoreSource(organizationId, id);
        await mutate(keysOf(organizationId, 'sources', 'source', 'apps', 'app'));
      }}
    />
  );
}
