import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { dayInTimeZone } from '../connectors/kit/days.js';
import { Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { cutRange, SLICE_DAYS, SyncService } from '../sync/index.js';
import type { ReloadBody } from './backfills.dto.js';
import { PlanBackfill, type Selected } from './plan-backfill.js';

/** A reload is for some days. More are a backfill, which can be paused and gives way to scheduled runs. */
const MOST_SLICES = 500;

/** Reads selected days again and replaces their rows, whether they are loaded or not. */
@Injectable()
export class ReloadDays {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly plans: PlanBackfill,
    private readonly sync: SyncService,
    private readonly audit: AuditService,
  ) {}

  async reload(actor: Actor, connectionId: string, body: ReloadBody): Promise<string> {
    const { organizationId } = actor;
    const selected = await this.plans.planDays(organizationId, connectionId, body);
    await this.assertActive(organizationId, selected);
    const ranges = rangesOf(selected);
    if (ranges.length === 0) throw noDays();
    if (ranges.length > MOST_SLICES) throw tooLarge();
    const scope = { isReplace: true, ranges };
    const request = { organizationId, connectionId, kind: 'repair', trigger: 'user', actor: actor.uid, scope } as const;
    const target = { type: 'connection', id: connectionId, name: selected.name };
    const { from, to, streams } = selected;
    return this.tenants.transaction(organizationId, async (query) => {
      const runId = await this.sync.startReloadIn(query, request);
      await this.audit.record(actor, { action: 'connection.reloaded', target, after: { from, to, streams } }, query);
      return runId;
    });
  }

  private async assertActive(organizationId: string, { connectionId, name }: Selected): Promise<void> {
    const where = { id: connectionId, desired: 'active' } as const;
    if (await this.tenants.of(organizationId).connection.findFirst({ where, select: { id: true } })) return;
    throw new Problem('connection.paused', { detail: `${name} is paused.`, action: 'Resume the connection first' });
  }
}

/** An account's days end on its own today. */
function rangesOf({ streams, accounts, from, to }: Selected): { stream: string; accountId: string; from: string; to: string }[] {
  const now = new Date();
  return streams.flatMap((stream) =>
    accounts.flatMap(({ externalId: accountId, timeZone }) => {
      const today = dayInTimeZone(now, timeZone);
      return cutRange({ stream, accountId, from, to: to < today ? to : today }, SLICE_DAYS);
    }),
  );
}

const noDays = (): Problem =>
  new Problem('request.invalid', {
    detail: 'These days have not begun.',
    errors: [{ field: 'from', message: 'from must not be after today' }],
  });

const tooLarge = (): Problem =>
  new Problem('backfill.too_large', {
    detail: `A reload has at most ${MOST_SLICES} chunks of one stream, one account and ${SLICE_DAYS} days.`,
    action: 'Choose fewer days, or start a backfill',
  });
