import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { deleteDestination, restoreDestination } from '~/api/destinations';
import { keysOf } from '~/api/http/keys';
import type { Destination } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { restorableNote } from '~/domain/time/restorable';
import { useOrganizationId } from '~/session/organization-context';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';

const secretWords: Partial<Record<Destination['authMode'], string>> = {
  password: ' Its password stays encrypted until then and is erased afterwards.',
  service_account: ' Its key stays encrypted until then and is erased afterwards, unless another destination uses it.',
  oauth2: ' The sign-in stays with the app.',
};

const staysWords: Partial<Record<Destination['provider'], string>> = {
  postgresql: 'All tables and rows in the database',
  bigquery: 'All tables and rows in the dataset',
  mixpanel: 'All events in the project',
};

/** Only for destinations that no connection uses. */
export function DeleteDestinationDialog({ destination, onClose }: { destination: Destination; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { id, name, authMode, provider } = destination;
  return (
    <DeleteDialog
      name={name}
      kind="destination"
      onClose={onClose}
      stops={['Loading into this destination']}
      stays={[staysWords[provider] ?? 'All loaded rows']}
      note={restorableNote(new Date()) + (secretWords[authMode] ?? '')}
      onDelete={() => deleteDestination(organizationId, id)}
      onDeleted={() => {
        void navigate(paths.destinations(organizationId));
        return mutate(keysOf(organizationId, 'destinations', 'apps'));
      }}
      onRestore={async () => {
        await restoreDestination(organizationId, id);
        await mutate(keysOf(organizationId, 'destinations', 'destination', 'apps', 'app'));
      }}
    />
  );
}
