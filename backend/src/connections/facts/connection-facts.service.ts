import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { accessSql } from '../../access/index.js';
import { Connectors } from '../../catalog/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Database } from '../../core/database/database.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { type ConnectionRow, factsOfCoverageSql, factsSql } from '../connection-facts.queries.js';
import { LOCK_TOTALS, SAVE_FACTS, SAVE_TOTALS, type StoredFacts, TAKE_MARKS } from './facts.queries.js';
import { readRowsByDay } from './rows-by-day.js';
import { toStoredFacts } from './to-stored-facts.js';

// SQL: takes the marks of all organizations, with the time of the database.

const refreshFacts = defineScheduledJob('refresh-connection-facts', 'every-minute');

/** Marks, or connections that became stale, of one transaction: it holds the organization's lock for less than a second. */
const BATCH = 500;
interface Taken extends Record<string, unknown> {
  id: string;
  count: number;
  /** Whether the facts of its coverage are computed too. */
  hasCoverage: boolean;
}

/** Organizations whose marks are looked up together. */
const ORGANIZATIONS = 100;

/**
 * Keeps `connection_facts` up to date. Triggers mark a connection in the transaction that changes it. A request for the list computes
 * the facts of marked connections before it reads them; a job does it for lists that are not requested.
 */
@Injectable()
export class ConnectionFacts implements OnModuleInit {
  private readonly computed: string;
  private readonly withStoredCoverage: string;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
  ) {
    const access = accessSql(env, 'paid');
    const condition = 'and c.payment_id is null and c.id = any($2::uuid[])';
    this.computed = `${factsSql(access)} ${condition}`;
    this.withStoredCoverage = `${factsOfCoverageSql(access)} ${condition}`;
  }

  onModuleInit(): void {
    this.jobs.handle(refreshFacts, () => this.refreshAll());
  }

  /** Computes the facts of the connections that are marked when it is called; of later marks only those that it finds. */
  async refresh(organizationId: string): Promise<void> {
    while ((await this.refreshBatch(organizationId)) >= BATCH);
  }

  /** Of all organizations, each once. An error of one must not stop the others. */
  async refreshAll(): Promise<void> {
    const done: string[] = [];
    for (;;) {
      const due = await this.listDue(done);
      if (due.length === 0) return;
      for (const organizationId of due) {
        done.push(organizationId);
        await this.refresh(organizationId).catch((error: unknown) =>
          this.logger.error({ err: error, organizationId }, 'the facts of connections could not be computed'),
        );
      }
    }
  }

  /** Computes the facts of all connections again. Returns their number. */
  async rebuild(): Promise<number> {
    // Intentionally over all organizations. Connections that are gone have marks, or facts that are marked here.
    const { rowCount } = await this.database.pool.query(
      `insert into connection_marks (organization_id, connection_id, has_coverage)
       select organization_id, id, true from connections where deleted_at is null and payment_id is null
       union select organization_id, connection_id, true from connection_facts`,
    );
    await this.refreshAll();
    return rowCount ?? 0;
  }

  private async listDue(done: string[]): Promise<string[]> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<{ id: string }>(
      `select organization_id as id from connection_marks where organization_id <> all($1::uuid[])
       union select organization_id from connection_facts where recheck_at <= now() and organization_id <> all($1::uuid[])
       limit ${ORGANIZATIONS}`,
      [done],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the number of marks and late connections that it took. */
  private refreshBatch(organizationId: string): Promise<number> {
    return this.tenants.together(organizationId, async () => {
      const [lock] = await this.tenants.query<{ now: Date }>(organizationId, LOCK_TOTALS);
      const taken = await this.tenants.query<Taken>(organizationId, TAKE_MARKS, [BATCH]);
      if (!lock || taken.length === 0) return 0;
      const facts = await this.compute(organizationId, taken, lock.now);
      const found = new Set(facts.map(({ connection_id }) => connection_id));
      const gone = taken.filter(({ id }) => !found.has(id)).map(({ id }) => id);
      const [saved] = await this.tenants.query<{ changed: number }>(organizationId, SAVE_FACTS, [JSON.stringify(facts), gone]);
      if (saved?.changed) await this.tenants.query(organizationId, SAVE_TOTALS);
      return taken.reduce((sum, { count }) => sum + count, 0);
    });
  }

  private async compute(organizationId: string, taken: Taken[], now: Date): Promise<StoredFacts[]> {
    const idsOf = (wanted: boolean) => taken.filter(({ hasCoverage }) => hasCoverage === wanted).map(({ id }) => id);
    const [changed, unchanged] = [idsOf(true), idsOf(false)];
    const computed = await this.read(organizationId, this.computed, changed);
    const rowsByDay = changed.length > 0 ? await readRowsByDay(this.tenants, organizationId, changed) : null;
    const stored = await this.read(organizationId, this.withStoredCoverage, unchanged);
    const rows = computed.map((row) => ({ ...row, rowsByDay: rowsByDay?.get(row.id) ?? {} }));
    return [...rows, ...stored].map((row) => toStoredFacts(this.connectors, row, now));
  }

  private read(organizationId: string, sql: string, ids: string[]): Promise<ConnectionRow[]> {
    return ids.length > 0 ? this.tenants.query<ConnectionRow>(organizationId, sql, [ids]) : Promise.resolve([]);
  }
}
