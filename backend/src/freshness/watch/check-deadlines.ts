import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { addDays } from '../../connectors/kit/days.js';
import { Database } from '../../core/database/database.js';
import { dateToDay, dayToDate } from '../../core/database/days.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { WatchFreshness } from './watch-freshness.js';

// SQL: selects due connections over all organizations, grouped by connection.

const checkFreshness = defineScheduledJob('check-freshness', 'every-minute');
const forgetFreshnessDays = defineScheduledJob('forget-freshness-days', 'every-night');

/** Connections that are selected together. */
const BATCH = 200;
const KEPT_DAYS = 400;

interface DueConnection {
  organizationId: string;
  connectionId: string;
}

/** Every minute: checks connections with a day whose deadline has passed. */
@Injectable()
export class CheckDeadlines implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly watch: WatchFreshness,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(checkFreshness, () => this.check(new Date()));
    this.jobs.handle(forgetFreshnessDays, () => this.forget());
  }

  async check(now: Date): Promise<void> {
    const checked: string[] = [];
    for (;;) {
      const due = await this.listDue(now, checked);
      if (due.length === 0) return;
      for (const { organizationId, connectionId } of due) {
        checked.push(connectionId);
        try {
          await this.watch.check(organizationId, connectionId, now);
        } catch (error) {
          // The next round tries this connection again. An error of one must not stop the others.
          this.logger.error({ err: error, organizationId, connectionId }, 'the freshness of a connection could not be checked');
        }
      }
    }
  }

  private async listDue(now: Date, checked: string[]): Promise<DueConnection[]> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<DueConnection>(
      `select f.organization_id as "organizationId", f.connection_id as "connectionId"
         from freshness_days f
         join connections c on c.organization_id = f.organization_id and c.id = f.connection_id
                           and c.deleted_at is null and c.freshness_target is not null
         join organizations o on o.id = f.organization_id and o.deleted_at is null
        where f.check_at <= $1 and f.connection_id <> all($2::uuid[])
        group by 1, 2 order by min(f.check_at) limit ${BATCH}`,
      [now, checked],
    );
    return rows;
  }

  /** Late days too: one that never becomes complete, such as a day of a closed account, would be checked forever. */
  private async forget(): Promise<void> {
    const day = { lt: dayToDate(addDays(dateToDay(new Date()), -KEPT_DAYS)) };
    await this.database.prisma.freshnessDay.deleteMany({ where: { day } });
  }
}
