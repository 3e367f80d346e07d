import { useAllOlderBackfills, useBackfills } from '~/api/connections/backfills';
import type { Backfill, Connection, SchemaStream } from '~/api/types';
import { backfillTable } from '~/domain/connections/backfill';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import type { ResyncProps } from './ResyncButton';

const isActive = ({ state }: Backfill): boolean => backfillTable[state].isActive;

/** The newest re-sync of each stream, and why none can be started. */
export function useResyncs(connection: Connection): {
  propsOf: (stream: SchemaStream, refusal: string | null) => ResyncProps;
} {
  const organizationId = useOrganizationId();
  const { data } = useBackfills(organizationId, connection.id);
  const { data: older } = useAllOlderBackfills(organizationId, connection.id, data);
  const backfills = [...(data?.items ?? []), ...(older?.items ?? [])];
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const pausedReason = connection.desired === 'paused' ? 'Paused. Resume it first' : null;
  const propsOf = (stream: SchemaStream, refusal: string | null): ResyncProps => {
    const newest = backfills.find(({ mode, streams }) => mode === 'resync' && streams.includes(stream.name)) ?? null;
    const activeReason = newest && isActive(newest) ? 'A re-sync is active' : null;
    return {
      connection,
      stream,
      shown: newest && newest.state !== 'cancelled' ? newest : null,
      disabledReason: refusal ?? roleReason ?? planReason ?? pausedReason ?? activeReason,
    };
  };
  return { propsOf };
}
