import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { TenantDatabase, type TenantQuery } from '../core/database/tenant-database.js';
import { Problem } from '../core/http/problem.js';
import type { ConfigurationFile } from './file/configuration-file.dto.js';
import { MOST_LOADED_DAYS } from './file/cursors.queries.js';
import { ReadConfiguration, type Snapshot } from './file/read-configuration.js';
import { countsOf, PlanConfiguration } from './plan/plan-configuration.js';
import type { ConfigurationPlan, ImportResult } from './plan/plan.dto.js';
import type { Step, WriteContext } from './plan/plan-state.js';

// SQL: locks the rows of every table that an import writes.

/** A large file writes some thousand rows, and half a million days. */
const APPLY_TIMEOUT_MS = 120_000;
const WAIT_MS = 10_000;
const LOCKED = [
  'apps',
  'sources',
  'destinations',
  'connections',
  'conversions',
  'payments',
  'webhook_endpoints',
  'notification_rules',
];

/** Plans and applies the import of a configuration file. */
@Injectable()
export class ImportConfiguration {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly configuration: ReadConfiguration,
    private readonly planner: PlanConfiguration,
    private readonly audit: AuditService,
  ) {}

  async plan({ organizationId }: Actor, file: ConfigurationFile): Promise<ConfigurationPlan> {
    assertFewDays(file);
    const wrongUrls = await this.planner.findWrongUrls(file);
    const current = await this.configuration.read(this.tenants.of(organizationId));
    const steps = this.planner.plan(file, current, wrongUrls);
    return { ...resultOf(steps), digest: digestOf(file, current, steps) };
  }

  async apply(actor: Actor, file: ConfigurationFile, digest: string): Promise<ImportResult> {
    const { organizationId } = actor;
    assertFewDays(file);
    const wrongUrls = await this.planner.findWrongUrls(file);
    const steps = await this.tenants.write(
      organizationId,
      async (transaction, query) => {
        await lockAll(query);
        const current = await this.configuration.read(transaction);
        const planned = this.planner.plan(file, current, wrongUrls);
        if (digestOf(file, current, planned) !== digest) throw changed();
        await this.write({ actor, transaction, query }, planned);
        return planned;
      },
      { limits: { timeout: APPLY_TIMEOUT_MS, maxWait: WAIT_MS } },
    );
    return resultOf(steps);
  }

  /** Each written item has its own audit entry, in the transaction. */
  private async write(context: WriteContext, steps: Step[]): Promise<void> {
    const { actor, query } = context;
    for (const { item, id, write } of steps) {
      if (!write) continue;
      await write(context);
      const { kind, name, action, changes } = item;
      const verb = action === 'create' ? 'created' : 'updated';
      const after = { isImported: true, changes: changes.slice(0, 50) };
      await this.audit.record(actor, { action: `${kind}.${verb}`, target: { type: kind, id, name }, after }, query);
    }
    const target = { type: 'organization', id: actor.organizationId };
    await this.audit.record(actor, { action: 'configuration.imported', target, after: { ...countsOf(steps) } }, query);
  }
}

const resultOf = (steps: Step[]): ImportResult => ({ counts: countsOf(steps), items: steps.map(({ item }) => item) });

/**
 * Covers the file, everything that is compared with it, and the plan: limits and connectors of the installation can change too. Ids
 * of new items are not part of a plan.
 */
const digestOf = (file: ConfigurationFile, current: Snapshot, steps: Step[]): string =>
  createHash('sha256')
    .update(JSON.stringify([file, current, steps.map(({ item }) => item)]))
    .digest('hex');

/** Writers of the same tables wait, so that nothing changes between the comparison and the import. */
async function lockAll(query: TenantQuery): Promise<void> {
  await query('select id from organizations where id = $1 for no key update');
  for (const table of LOCKED) await query(`select id from ${table} where organization_id = $1 order by id for no key update`);
}

function assertFewDays({ connections }: ConfigurationFile): void {
  let days = 0;
  connections.forEach(({ cursors }, index) => {
    for (const { accountIds, days: ranges } of cursors?.loaded ?? [])
      for (const range of ranges) {
        const [from = '', to = ''] = range.split('/').map((day) => Date.parse(day));
        days += accountIds.length * Math.max(0, (Number(to) - Number(from)) / 86_400_000 + 1 || 0);
      }
    if (days <= MOST_LOADED_DAYS) return;
    const message = `the cursors of a file can contain at most ${MOST_LOADED_DAYS.toLocaleString('en')} account-days`;
    const field = `connections.${index}.cursors`;
    throw new Problem('request.invalid', { detail: `${field}: ${message}`, errors: [{ field, message }] });
  });
}

const changed = (): Problem =>
  new Problem('configuration.changed', {
    detail: 'The file or the organization has changed since the plan was made.',
    action: 'Make a new plan',
  });
