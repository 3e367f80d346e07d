import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { disconnectApp, useAppImpact } from '~/api/app-care';
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

/** By name; paused ones have stopped already. */
const whatStops = ({ connections, destinations }: AppImpact): React.ReactNode[] => [
  ...connections.map((one) =>
    named('Connection', one, one.desired === 'paused' ? ', paused already' : ', until somebody reconnects'),
  ),
  ...destinations.map((one) => named('Destination', one, ', which nothing reaches meanwhile')),
];

/** Withdraws the access, and lists by name what stops. */
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
      stops={[...(impact ? whatStops(impact) : []), `Access to ${platform}: it is withdrawn there as well`]}
      stays={[
        'Every row that was loaded',
        ...(impact?.sources ?? []).map((one) => named('Source', one, ', with its choice of accounts')),
        'Run history, coverage and settings of every connection',
      ]}
      note="Reconnecting heals all of it, and loads the days that were missed."
      confirmLabel="Disconnect app"
      isReady={impact !== undefined || error !== undefined}
      onConfirm={async () => {
        await disconnectApp(organizationId, app.id);
        await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory', 'sources', 'source', 'destinations', 'connections'));
        toast.done(`${app.displayName} disconnected`);
        onClose();
      }}
    >
      {!impact && error === undefined && <TableSkeleton label="Looking up what uses it" rows={2} widths={['60%']} />}
    </ConfirmDialog>
  );
}

/** For an app that nothing uses. */
export function DeleteDialog({ app, onClose }: DialogProps) {
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
          ? [`Access to ${signInName(app.provider)}: it is withdrawn there as well`]
          : ['Its credentials are erased']
      }
      stays={['Every row that was loaded']}
      note="This cannot be undone: its credentials are erased at once. Sources and destinations of it that were deleted before cannot be restored any more either."
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
