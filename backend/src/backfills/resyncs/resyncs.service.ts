import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { Connectors } from '../../catalog/index.js';
import { newId } from '../../core/database/identifiers.js';
import { TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { insertResync, SLICE_DAYS } from '../../sync/index.js';
import type { BackfillEstimate } from '../backfills.dto.js';
import { insertChunks } from '../chunks.js';
import { ContinueBackfills } from '../continue-backfills.js';
import { EstimateBackfill } from '../estimate-backfill.js';
import { assertNoOverlap, insertBackfill, lockActive, nothingMissing } from '../insert-backfill.js';
import { PlanBackfill } from '../plan-backfill.js';
import { queueDrop } from './drop-resync-table.js';

/** Digits of the id in the name of the new table. A name has at most 63 bytes, of which prefix and stream use up to 54. */
const ID_DIGITS = 6;

/** Starts re-syncs: backfills into a new table, which then takes the place of the old one. */
@Injectable()
export class ResyncsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly plans: PlanBackfill,
    private readonly estimates: EstimateBackfill,
    private readonly continuing: ContinueBackfills,
    private readonly audit: AuditService,
  ) {}

  async estimate(organizationId: string, connectionId: string, stream: string): Promise<BackfillEstimate> {
    await this.assertSupported(organizationId, connectionId);
    return this.estimates.estimateResync(organizationId, connectionId, stream);
  }

  async start(actor: Actor, connectionId: string, stream: string): Promise<string> {
    const { organizationId } = actor;
    await this.assertSupported(organizationId, connectionId);
    const plan = await this.plans.planResync(organizationId, connectionId, stream);
    const estimate = await this.estimates.estimatePlan(organizationId, plan);
    const id = newId();
    const table = `${plan.source.connector.streams.find(({ name }) => name === stream)?.table}_n${id.slice(-ID_DIGITS)}`;
    await this.tenants.write(organizationId, async (transaction, query) => {
      await lockActive(query, plan);
      await assertNoOverlap(transaction, { ...plan, id, accountIds: plan.accounts.map(({ externalId }) => externalId) });
      await cancelFailed({ transaction, query }, organizationId, connectionId, stream);
      await insertBackfill(transaction, id, actor, { ...plan, mode: 'resync' }, estimate);
      await insertResync(transaction, { organizationId, backfillId: id, table });
      if ((await insertChunks(query, id, plan, SLICE_DAYS)) === 0) throw nothingMissing();
      const target = { type: 'backfill', id, name: plan.name };
      await this.audit.record(actor, { action: 'resync.started', target, after: { stream } }, query);
      await this.continuing.continueWithin({ transaction, query }, organizationId, connectionId, false);
    });
    return id;
  }

  private async assertSupported(organizationId: string, connectionId: string): Promise<void> {
    const connection = await this.tenants.of(organizationId).connection.findFirst({
      where: { id: connectionId, deletedAt: null },
      select: { destination: { select: { app: { select: { provider: true } } } } },
    });
    if (!connection) throw notFound('The connection');
    const { resyncRefusal: detail } = this.connectors.getDestination(connection.destination.app.provider);
    if (detail !== null) throw new Problem('resync.unsupported', { detail, action: 'Reload the days instead' });
  }
}

/** The new one replaces a failed re-sync of the stream, whose table is dropped. */
async function cancelFailed(
  { transaction, query }: TenantWork,
  organizationId: string,
  connectionId: string,
  stream: string,
): Promise<void> {
  const failed = await transaction.backfill.updateManyAndReturn({
    where: { connectionId, mode: 'resync', state: 'failed', streams: { equals: [stream] } },
    data: { state: 'cancelled' },
    select: { id: true },
  });
  for (const { id } of failed) await queueDrop(query, organizationId, id);
}
