import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import type { AppConnections } from './use-app-connections';

interface KnownConnectionsProps {
  uses: AppConnections;
  children: React.ReactNode;
}

/** What is said of an app's connections, once they are known; until then that they are asked for, or why they did not come. */
export const KnownConnections = ({ uses: { isKnown, error, retry }, children }: KnownConnectionsProps) => (
  <>
    {error !== undefined && (
      <ErrorNotice error={error} title="The connections of this app could not be fetched" onRetry={retry} />
    )}
    {!isKnown && error === undefined && <TableSkeleton label="Loading its connections" rows={2} widths={[48, '40%', 96]} />}
    {isKnown && children}
  </>
);
