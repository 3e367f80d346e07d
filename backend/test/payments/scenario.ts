import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { aDestination, anOrganization, expectStatus, type Organization } from '../factories.js';
import type { Waits } from '../../src/core/config/waits.js';
import type { PaymentEntry } from '../../src/payments/payments.dto.js';
import type { RunSummary } from '../../src/sync/index.js';

export type Step = Record<string, unknown>;

interface StepsAnswer {
  id: string;
  key: string;
  objects: { id?: string; type: string; ref?: string }[];
}

interface Sums {
  rows: number;
  currencies: Record<
    string,
    { rows: number; amounts: Record<string, number>; days: Record<string, { rows: number; amounts: Record<string, number> }> }
  >;
}

export interface Totals {
  tables: Record<string, Sums>;
  categories: Record<string, Sums>;
}

/** A Stripe account of the sandbox with a restricted key. */
export class Shop {
  /** Ids by the names that steps gave. */
  readonly ids: Record<string, string> = {};

  private constructor(
    readonly sandbox: Sandbox,
    readonly id: string,
    readonly key: string,
  ) {}

  static async open(sandbox: Sandbox, settings: object = {}): Promise<Shop> {
    const answer = await sandbox.admin<StepsAnswer>('stripe/payments', settings);
    const shop = new Shop(sandbox, answer.id, answer.key);
    shop.keep(answer);
    return shop;
  }

  async run(...steps: Step[]): Promise<void> {
    this.keep(await this.sandbox.admin<StepsAnswer>(`stripe/payments/${this.id}/steps`, { steps }));
  }

  idOf(ref: string): string {
    const id = this.ids[ref];
    if (id === undefined) throw new Error(`no object ${ref}`);
    return id;
  }

  totals(): Promise<Totals> {
    return this.sandbox.admin(`stripe/payments/${this.id}`);
  }

  async rows<Row>(table: string): Promise<Row[]> {
    return (await this.sandbox.admin<{ rows: Row[] }>(`stripe/payments/${this.id}/rows/${table}`)).rows;
  }

  async keyWith(rights: string[], isExpired = false): Promise<string> {
    return (await this.sandbox.admin<{ key: string }>(`stripe/payments/${this.id}/keys`, { rights, isExpired })).key;
  }

  fault(fault: string, parameters: object = {}): Promise<void> {
    return this.sandbox.addFault({ provider: 'stripe', fault, accountId: this.id, ...parameters });
  }

  /** Creates an endpoint as the account's owner does in Stripe, and returns its signing secret. */
  async addEndpoint(url: string): Promise<string> {
    const body = new URLSearchParams([
      ['url', url],
      ['enabled_events[]', '*'],
    ]);
    const headers = { authorization: `Bearer ${this.key}` };
    const answer = await fetch(`${this.sandbox.url}/v1/webhook_endpoints`, { method: 'POST', body, headers });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { secret: string }).secret;
  }

  private keep({ objects }: StepsAnswer): void {
    for (const { ref, id } of objects) if (ref && id) this.ids[ref] = id;
  }
}

export interface PaymentScenario {
  app: TestApp;
  sandbox: Sandbox;
  warehouse: Warehouse;
  stop(): Promise<void>;
}

/** The product with its workers, a sandbox and a warehouse. */
export async function startPayments(overrides: Record<string, string> = {}, waits?: Waits): Promise<PaymentScenario> {
  const sandbox = await startSandbox();
  const warehouse = await startWarehouse();
  const app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url), ...overrides }, waits);
  return {
    ...{ app, sandbox, warehouse },
    stop: async () => {
      await app.stop();
      await warehouse.stop();
      await sandbox.stop();
    },
  };
}

export interface Owner extends Organization {
  shop: Shop;
  appId: string;
  destinationId: string;
}

/** An organization with a connected Stripe app and a destination. */
export async function anOwner({ app, sandbox, warehouse }: PaymentScenario, settings: object = {}): Promise<Owner> {
  const organization = await anOrganization(app);
  const shop = await Shop.open(sandbox, settings);
  const destinationId = await aDestination(organization, warehouse);
  return { ...organization, shop, appId: await aStripeApp(organization, shop.key), destinationId };
}

export async function aStripeApp(organization: Organization, apiKey: string): Promise<string> {
  const body = { provider: 'stripe', credentials: { apiKey } };
  return expectStatus(await organization.call.post<{ id: string }>(`${organization.path}/apps`, body), 201).body.id;
}

/** A day in UTC, as those of Stripe are. */
export const utcDaysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export async function aPayment(owner: Owner, more: object = {}): Promise<PaymentEntry> {
  const { appId, destinationId } = owner;
  const body = { name: 'Shop revenue', appId, destinationIds: [destinationId], historyFrom: utcDaysAgo(5), ...more };
  return expectStatus(await owner.call.post<PaymentEntry>(`${owner.path}/payments`, body), 201).body;
}

export const getPayment = async (owner: Owner, id: string): Promise<PaymentEntry> =>
  expectStatus(await owner.call.get<PaymentEntry>(`${owner.path}/payments/${id}`), 200).body;

/** Waits until no destination has an active run, and returns the last run of the first one. */
export async function settled(owner: Owner, paymentId: string): Promise<RunSummary> {
  for (;;) {
    const { destinations } = await getPayment(owner, paymentId);
    const [first] = destinations;
    if (first?.lastRunId && destinations.every(({ activeRunId }) => activeRunId === null)) {
      return expectStatus(await owner.call.get<RunSummary>(`${owner.path}/runs/${first.lastRunId}`), 200).body;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface EventRow extends Record<string, unknown> {
  account_id: string;
  date: string;
  event_id: string;
  event: string;
  currency: string;
  amount_minor: string;
  amount_micros: string;
  fee_minor: string;
  charged_currency: string | null;
  charged_minor: string | null;
  customer_id: string | null;
  original_event_id: string | null;
  payment_id: string | null;
  subscription_id: string | null;
}

/** Rows of an account in the warehouse, oldest first. */
export const rowsOf = ({ warehouse }: PaymentScenario, { shop }: Owner): Promise<EventRow[]> =>
  warehouse.query<EventRow>(
    `select account_id, date::text, event_id, event, currency, amount_minor, amount_micros, fee_minor, charged_currency, charged_minor,
            customer_id, original_event_id, payment_id, subscription_id
       from payment_events where split_part(account_id, '/', 1) = $1 order by occurred_at, event_id`,
    [shop.id],
  );
