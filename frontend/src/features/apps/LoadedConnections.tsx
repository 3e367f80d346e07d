import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import type { AppConnections } from './use-app-connections';

interface LoadedConnectionsProps {
  uses: AppConnections;
  children: React.ReactNode;
}

/** Shows `children` once the app's connections are loaded, before that a skeleton or the error. */
export const LoadedConnections = ({ uses: { connections, isKnown, error, retry }, children }: LoadedConnectionsProps) => (
  <LoadedContent
    data={isKnown ? connections : undefined}
    error={error}
    reload={retry}
    errorTitle="Couldn’t load the connections of this app"
    skeleton={<TableSkeleton label="Loading connections" rows={2} widths={[48, '40%', 96]} />}
  >
    {() => children}
  </LoadedContent>
);
