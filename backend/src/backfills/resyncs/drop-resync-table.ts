import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Connectors } from '../../catalog/index.js';
import type { ProviderName } from '../../connectors/kit/contract.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { DestinationsService } from '../../destinations/index.js';
import { setDropped } from '../../sync/index.js';

// SQL: one statement over the re-sync, its connection and its active run.

/** The run of a canceled re-sync stops before its next slice. */
const WAIT_FOR_RUN_MS = 5_000;

const dropTable = defineJob('drop-resync-table', z.object({ organizationId: z.uuid(), backfillId: z.uuid() }));

interface Canceled extends Record<string, unknown> {
  table: string;
  stream: string;
  provider: ProviderName;
  destinationId: string;
  isBusy: boolean;
}

/** In the transaction that cancels the re-sync. */
export const queueDrop = (query: TenantQuery, organizationId: string, backfillId: string, waitMs = 0): Promise<void> =>
  queueJob(
    query,
    dropTable,
    { organizationId, backfillId },
    { key: `drop-resync-table:${backfillId}`, runAt: new Date(Date.now() + waitMs) },
  );

/** Drops the new table of a canceled re-sync. A failed attempt is repeated as any job. */
@Injectable()
export class DropResyncTable implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
    private readonly destinations: DestinationsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(dropTable, (payload, context) => this.drop(payload, context));
  }

  private async drop({ organizationId, backfillId }: z.infer<typeof dropTable.schema>, { signal }: JobContext): Promise<void> {
    const canceled = await this.find(organizationId, backfillId);
    if (!canceled) return;
    if (canceled.isBusy)
      return this.tenants.transaction(organizationId, (query) => queueDrop(query, organizationId, backfillId, WAIT_FOR_RUN_MS));
    const stream = this.connectors.findSource(canceled.provider)?.streams.find(({ name }) => name === canceled.stream);
    const destination = await this.destinations.open(organizationId, canceled.destinationId);
    try {
      if (stream)
        await destination.replacement?.drop({ signal, onRequest: () => undefined }, { ...stream, table: canceled.table });
    } finally {
      await destination.close();
    }
    await this.tenants.write(organizationId, (transaction) => setDropped(transaction, backfillId));
  }

  /** Null: there is nothing to drop. A table that was swapped in has another name. */
  private async find(organizationId: string, backfillId: string): Promise<Canceled | undefined> {
    const [row] = await this.tenants.query<Canceled>(
      organizationId,
      `select s.table_name as "table", b.streams[1] as stream, a.provider, c.destination_id as "destinationId",
              exists (select from runs r where r.organization_id = $1 and r.connection_id = c.id and r.ended_at is null
                         and r.scope->'resync'->>'id' = b.id::text) as "isBusy"
         from resyncs s
         join backfills b on b.organization_id = $1 and b.id = s.backfill_id and b.state = 'cancelled'
         join connections c on c.organization_id = $1 and c.id = b.connection_id
         join sources o on o.organization_id = $1 and o.id = c.source_id
         join apps a on a.organization_id = $1 and a.id = o.app_id
        where s.organization_id = $1 and s.backfill_id = $2 and s.dropped_at is null`,
      [backfillId],
    );
    return row;
  }
}
