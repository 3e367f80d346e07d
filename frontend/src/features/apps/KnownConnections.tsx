import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import type { AppConnections } from './use-app-connections';

interface KnownConnectionsProps {
  uses: AppConnections;
  children: React.ReactNode;
}

/** Shows `children` once the app's connections are loaded, before that a skeleton or the error. */
export const KnownConnections = ({ uses: { isKnown, error, retry }, children }: KnownConnectionsProps) => (
  <>
    {error !== undefined && <ErrorNotice error={error} title="Couldn’t load the connections of this app" onRetry={retry} />}
    {!isKnown && error === undefined && <TableSkeleton label="Loading connections" rows={2} widths={[48, '40%', 96]} />}
    {isKnown && children}
  </>
);
