import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Connectors } from '../../catalog/index.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { DestinationsService } from '../../destinations/index.js';
import { findCanceledResync } from '../../read-models/index.js';
import { setDropped } from '../../sync/index.js';

/** The run of a canceled re-sync stops before its next slice. */
const WAIT_FOR_RUN_MS = 5_000;

const dropTable = defineJob('drop-resync-table', z.object({ organizationId: z.uuid(), backfillId: z.uuid() }));

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
    const canceled = await findCanceledResync(this.tenants, organizationId, backfillId);
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
}
