import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { disconnectApp, useAppImpact } from '~/api/app-access';
import { deleteApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { App, AppImpact } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';

interface DialogProps {
  app: App;
  onClose: () => void;
}

const named = (kind: string, { name }: { name: string }, rest: string) => (
  <>
    {kind} <strong className="strong">{name}</strong>
    {rest}
  </>
);

/** Connections and destinations that stop working, by name. */
const whatStops = ({ connections, destinations }: AppImpact): React.ReactNode[] => [
  ...connections.map((one) =>
    named('Connection', one, one.desired === 'paused' ? ', already paused' : ', until the app is reconnected'),
  ),
  ...destinations.map((one) => named('Destination', one, ', which cannot be written until then')),
];

/** Confirms revoking the access and lists the affected resources by name. */
export function DisconnectDialog({ app, onClose }: DialogProps) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { data: impact, error } = useAppImpact(organizationId, app.id);
  const platform = signInName(app.provider);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Disconnect ${app.displayName}?`}
      stops={[...(impact ? whatStops(impact) : []), `Access to ${platform}, which is also revoked on the platform`]}
      stays={[
        'All loaded rows',
        ...(impact?.sources ?? []).map((one) => named('Source', one, ', with its account selection')),
        'Run history, coverage and settings of every connection',
      ]}
      note="Reconnect the app to resume its connections and load the missed days."
      confirmLabel="Disconnect app"
      isReady={impact !== undefined || error !== undefined}
      onConfirm={async () => {
        await disconnectApp(organizationId, app.id);
        await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory', 'sources', 'source', 'destinations', 'connections'));
        toast.done(`${app.displayName} disconnected`);
        onClose();
      }}
    >
      {!impact && error === undefined && <TableSkeleton label="Loading usage" rows={2} widths={['60%']} />}
    </ConfirmDialog>
  );
}

/** Only for unused apps. */
export function DeleteAppDialog({ app, onClose }: DialogProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${app.displayName}?`}
      stops={
        app.authMode === 'oauth2'
          ? [`Access to ${signInName(app.provider)}, which is also revoked on the platform`]
          : ['Its credentials, which are erased']
      }
      stays={['All loaded rows']}
      note="This cannot be undone. The credentials are erased. Deleted sources and destinations of this app can no longer be restored."
      confirmLabel="Delete app"
      onConfirm={async () => {
        await deleteApp(organizationId, app.id);
        await mutate(keysOf(organizationId, 'apps'));
        toast.done(`${app.displayName} deleted`);
        void navigate(paths.apps(organizationId));
      }}
    />
  );
}
