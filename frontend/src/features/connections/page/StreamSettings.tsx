import { useCatalog } from '~/api/catalog';
import { useDestination } from '~/api/destinations';
import type { ExcludedColumns } from '~/components/stream-table/excluded-columns';
import { streamsFor } from '~/components/stream-table/stream-choice';
import { StreamTable } from '~/components/stream-table/StreamTable';
import type { Connection } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';

interface StreamSettingsProps {
  connection: Connection;
  chosen: string[];
  leftOut: ExcludedColumns;
  onChange: (names: string[]) => void;
  onLeaveOut: (leftOut: ExcludedColumns) => void;
  isLocked: boolean;
}

/** Streams that both the source and the destination support, and the selection of their fields. */
export function StreamSettings({ connection, chosen, leftOut, onChange, onLeaveOut, isLocked }: StreamSettingsProps) {
  const organizationId = useOrganizationId();
  const catalog = useCatalog();
  const destination = useDestination(organizationId, connection.destination.id);
  const connector = catalog.data?.connectors.find(({ provider }) => provider === connection.source.provider);
  const error: unknown = catalog.error ?? destination.error;
  if (error !== undefined && (!connector || !destination.data))
    return (
      <ErrorNotice
        error={error}
        title="Couldn’t load the streams"
        onRetry={() => void Promise.all([catalog.mutate(), destination.mutate()])}
      />
    );
  if (!connector || !destination.data) return <TableSkeleton label="Loading streams" rows={3} widths={[20, '60%', 80]} />;
  const offered = connection.streams.map(({ name }) => name);
  const streams = connector.streams.filter(({ name }) => offered.includes(name));
  return (
    <StreamTable
      streams={streamsFor(streams, destination.data)}
      sourceProvider={connection.source.provider}
      destination={destination.data}
      chosen={chosen}
      leftOut={leftOut}
      onChange={onChange}
      onLeaveOut={onLeaveOut}
      isLocked={isLocked}
    />
  );
}
