import { randomUUID } from 'node:crypto';
import { mixpanelDestination } from '../../../src/connectors/mixpanel/index.js';
import { settingsSchema, type MixpanelSettings, type ProjectSettings } from '../../../src/connectors/mixpanel/settings.js';
import type {
  AdAccount,
  DayTotals,
  Destination,
  Page,
  Row,
  SentRow,
  Deliveries,
  Slice,
} from '../../../src/connectors/kit/contract.js';
import { aContext, type TestContext } from '../context.js';
import { anAccount, aRow, campaignDaily, pagesOf } from '../rows.js';
import { startSandbox, type Sandbox } from '../sandbox-process.js';

export const credentials = { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' };
export const webProject = '3100001';
export const europeProject = '3100002';
export const freeProject = '3100003';

/** Accounts used by no other test in the process, since one sandbox serves many tests. */
let accountNumber = 9_100_000_000;
export const newAccount = (): AdAccount => ({ ...anAccount, externalId: String(++accountNumber) });

/** Stores rows as JSON, like the database, and can simulate a crash. */
export class TestLedger implements Deliveries {
  readonly stored = new Map<string, string>();
  /** Every row that was ever planned, as an outdated worker still has it. */
  readonly everPlanned: SentRow[] = [];
  /** Throws once, before or after the next call with that name. */
  death: { at: 'plan' | 'confirm'; when: 'before' | 'after' } | null = null;

  list({ from, to }: Slice): Promise<SentRow[]> {
    const rows = [...this.stored.values()].map((text) => JSON.parse(text) as SentRow);
    return Promise.resolve(rows.filter(({ day }) => day >= from && day <= to));
  }

  async plan(_slice: Slice, rows: SentRow[]): Promise<void> {
    this.die('plan', 'before');
    for (const row of rows) this.stored.set(row.key, JSON.stringify(row));
    this.everPlanned.push(...rows.filter(({ planned }) => planned));
    this.die('plan', 'after');
  }

  async confirm(_slice: Slice, keys: string[]): Promise<void> {
    this.die('confirm', 'before');
    for (const key of keys) {
      const row = JSON.parse(this.stored.get(key) ?? '{}') as SentRow;
      this.stored.set(key, JSON.stringify({ ...row, planned: null }));
    }
    this.die('confirm', 'after');
  }

  get unconfirmed(): SentRow[] {
    return [...this.stored.values()].map((text) => JSON.parse(text) as SentRow).filter(({ planned }) => planned !== null);
  }

  private die(at: 'plan' | 'confirm', when: 'before' | 'after'): void {
    if (this.death?.at !== at || this.death.when !== when) return;
    this.death = null;
    throw new Error('the worker crashed');
  }
}

export interface RawEvent {
  event: string;
  time: number;
  insertId: string;
  distinctId: string;
  properties: Record<string, unknown>;
}

export interface AdminTotals {
  events: number;
  rawEvents: number;
  sums: Record<string, string>;
  raw: RawEvent[];
}

export class MixpanelSandbox {
  readonly sandbox: Sandbox;
  readonly settings: MixpanelSettings;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.settings = {
      baseUrl: `${sandbox.url}/mixpanel`,
      now: () => new Date(),
      retryDelayMs: 1,
      visibilityWaitsMs: [20, 50],
      exportPauseMs: 0,
    };
  }

  open(project: Partial<ProjectSettings> = {}, settings: Partial<MixpanelSettings> = {}): Destination {
    const parsed = settingsSchema.parse({ projectId: webProject, residency: 'US', ...project });
    return mixpanelDestination({ ...this.settings, ...settings }, parsed, credentials);
  }

  fault(fault: string, parameters: object = {}): Promise<void> {
    return this.sandbox.addFault({ provider: 'mixpanel', fault, ...parameters });
  }

  async admin(path: string, body: object): Promise<void> {
    await fetch(`${this.sandbox.url}/admin/${path}`, { method: 'POST', body: JSON.stringify(body) });
  }

  /** The sandbox's data of an account, read past the API. */
  async totals(account: AdAccount, projectId = webProject): Promise<AdminTotals> {
    const query = new URLSearchParams({
      projectId,
      accountId: account.externalId,
      from: '2025-01-01',
      to: '2027-12-31',
      raw: 'true',
    });
    return (await (await fetch(`${this.sandbox.url}/admin/mixpanel/totals?${query}`)).json()) as AdminTotals;
  }

  /** Requests of the product, newest last. */
  async requests(path = 'import'): Promise<{ status: number; requestBody?: string; query: Record<string, string> }[]> {
    const answer = await fetch(`${this.sandbox.url}/admin/requests?provider=mixpanel&limit=2000`);
    const { requests } = (await answer.json()) as { requests: { path: string; status: number; query: Record<string, string> }[] };
    return requests.filter((request) => request.path.endsWith(`/${path}`));
  }

  liftLimits(): Promise<void> {
    return this.admin('mixpanel/limits', { exportsPerHour: 1_000_000, exportsPerSecond: 1_000_000, queriesPerHour: 1_000_000 });
  }
}

export async function startMixpanel(): Promise<MixpanelSandbox> {
  const mixpanel = new MixpanelSandbox(await startSandbox());
  await mixpanel.liftLimits();
  return mixpanel;
}

/** One account and what was sent for it. */
export class Target {
  readonly account = newAccount();
  readonly ledger = new TestLedger();
  readonly context: TestContext = { ...aContext(), ledger: this.ledger };

  slice(overrides: Partial<Slice> = {}): Slice {
    return { stream: campaignDaily, account: this.account, from: '2026-01-01', to: '2026-01-03', ...overrides };
  }

  row(overrides: Row = {}): Row {
    return aRow({ account_id: this.account.externalId, account_name: this.account.name, ...overrides });
  }

  write(destination: Destination, rows: Row[] | AsyncIterable<Page>, slice = this.slice()) {
    const pages = Array.isArray(rows) ? pagesOf(rows, slice.stream) : rows;
    return destination.write(this.context, slice, pages, { runId: randomUUID(), leaseEpoch: 1n });
  }

  totals(destination: Destination, slice = this.slice()): Promise<DayTotals[]> {
    return destination.totals(this.context, slice);
  }

  /** Like the engine: retries a slice up to twice if its verification fails. */
  async load(destination: Destination, rows: Row[], slice = this.slice()): Promise<DayTotals[]> {
    for (let attempt = 1; ; attempt++) {
      await this.write(destination, rows, slice);
      try {
        return await this.totals(destination, slice);
      } catch (error) {
        if (attempt === 3 || !(error instanceof Error) || error.name !== 'CorruptAnswer') throw error;
      }
    }
  }
}
