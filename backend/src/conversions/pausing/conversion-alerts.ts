import { Injectable } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import { AuditService } from '../../audit/index.js';
import { PAUSE, type Streak, verdictOn } from '../../connections/index.js';
import { plural } from '../../connectors/kit/plural.js';
import type { TenantQuery, TenantWork } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { failureColumn } from '../../core/http/failures.js';
import { isConversionCovered } from '../../read-models/index.js';

// SQL: counts the failed runs since the last success in one statement.

interface EndedConversion {
  organizationId: string;
  id: string;
  name: string;
  resumedAt: Date | null;
}

interface FailedStreak extends Streak, Record<string, unknown> {
  failure: Failure;
}

/**
 * Alerts and the automatic pause of a conversion, in the transaction that ends its run. The caller has locked the conversion and
 * stored the end of the run, so the streak contains it.
 */
@Injectable()
export class ConversionAlerts {
  constructor(
    private readonly alerts: Alerts,
    private readonly audit: AuditService,
  ) {}

  async failed(work: TenantWork, conversion: EndedConversion, failure: Failure, now: Date): Promise<void> {
    const { organizationId, id } = conversion;
    const { query } = work;
    // The alert of an app or destination covers all conversions that fail because of it.
    if (!(await isConversionCovered(query, id)))
      await this.alerts.open(query, organizationId, { kind: 'conversion.failing', subjectId: id, failure });
    const streak = await findStreak(query, conversion);
    const verdict = streak ? verdictOn(streak, now) : 'none';
    if (!streak || verdict === 'none') return;
    if (verdict === 'warn') await this.warn(query, conversion, streak);
    else await this.pause(work, conversion, streak, now);
  }

  async succeeded(query: TenantQuery, { organizationId, id }: Pick<EndedConversion, 'organizationId' | 'id'>): Promise<void> {
    await this.alerts.recover(query, organizationId, id, ['conversion.pause_pending', 'conversion.failing']);
  }

  private warn(query: TenantQuery, { organizationId, id }: EndedConversion, { failures, failure }: FailedStreak): Promise<void> {
    const message = `${plural(failures, 'run')} failed in a row. After ${PAUSE.failures} runs or ${PAUSE.days} days the conversion is paused automatically. Last error: ${failure.message}`;
    return this.alerts.open(query, organizationId, {
      kind: 'conversion.pause_pending',
      subjectId: id,
      failure: { ...failure, message },
    });
  }

  /** Events that wait stay in the ledger. A user resumes the conversion after the cause is resolved. */
  private async pause(
    { transaction, query }: TenantWork,
    { organizationId, id, name }: EndedConversion,
    { failures, failure }: FailedStreak,
    now: Date,
  ): Promise<void> {
    await transaction.conversion.updateMany({
      where: { id },
      data: {
        ...{ desired: 'paused', pausedAt: now, pausedBy: null, pausedReason: 'failures' },
        ...{ pausedFailure: failureColumn.write(failure), nextRunAt: null, waitingUntil: null },
      },
    });
    const target = { type: 'conversion', id, name };
    const after = { failures, code: failure.code };
    await this.audit.recordIn(organizationId, null, { action: 'conversion.paused', target, after }, query);
    await this.alerts.close(query, id, ['conversion.pause_pending']);
    const message = `It was paused after ${plural(failures, 'failed run')} in a row. Events that wait are kept. Last error: ${failure.message}`;
    await this.alerts.open(query, organizationId, { kind: 'conversion.paused', subjectId: id, failure: { ...failure, message } });
  }
}

/** Runs that a pause or a deletion ended have no failure and do not count. */
async function findStreak(query: TenantQuery, { id, resumedAt }: EndedConversion): Promise<FailedStreak | undefined> {
  const [streak] = await query<FailedStreak>(
    `select count(*)::int as failures, min(r.ended_at) as "failingSince", (array_agg(r.failure order by r.ended_at desc))[1] as failure
       from conversion_runs r
      where r.organization_id = $1 and r.conversion_id = $2 and r.state = 'failed' and r.failure is not null
        and r.ended_at > coalesce($3::timestamptz, '-infinity')
        and r.ended_at > coalesce((
          select g.ended_at from conversion_runs g
           where g.organization_id = $1 and g.conversion_id = $2 and g.state in ('succeeded', 'partial') and g.ended_at is not null
           order by g.id desc limit 1), '-infinity')
     having count(*) > 0`,
    [id, resumedAt],
  );
  return streak;
}
