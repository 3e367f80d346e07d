import type { TestApp } from '../app.js';
import type { Sandbox } from '../connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, eventually, expectStatus, type Organization } from '../factories.js';
import type { ConversionEntry, ConversionRunPage } from '../../src/conversions/conversions.dto.js';
import type {
  ConversionEventDetail,
  ConversionEventEntry,
  ConversionEventPage,
} from '../../src/conversions/api/conversion-events.dto.js';
import type { ConversionTargetChoice, ConversionTargetChoices } from '../../src/conversions/preview/preview.dto.js';

export const OWNER_ACCOUNT = '9001000011';

export interface PushApp {
  id: string;
  push(events: object | object[]): Promise<void>;
}

/** An organization with a custom app that receives events, and a Google Ads app. */
export class ConversionScenario {
  private constructor(
    readonly app: TestApp,
    readonly sandbox: Sandbox,
    readonly organization: Organization,
    readonly pushApp: PushApp,
    readonly googleAppId: string,
    readonly action: ConversionTargetChoice,
  ) {}

  static async create(app: TestApp, sandbox: Sandbox): Promise<ConversionScenario> {
    const organization = await anOrganization(app);
    const pushApp = await aPushApp(app, organization);
    const googleAppId = await aConnectedApp(organization);
    const { body } = expectStatus(
      await organization.call.post<ConversionTargetChoices>(`${organization.path}/conversion-setup/targets`, {
        appId: googleAppId,
        accountId: OWNER_ACCOUNT,
      }),
      200,
    );
    const action = body.items.find(({ problem }) => problem === null);
    if (!action) throw new Error(`no conversion action can be chosen: ${JSON.stringify(body)}`);
    return new ConversionScenario(app, sandbox, organization, pushApp, googleAppId, action);
  }

  /** Another conversion action of the same account. */
  async otherAction() {
    const { call, path } = this.organization;
    const account = { appId: this.googleAppId, accountId: OWNER_ACCOUNT };
    const { body } = await call.post<ConversionTargetChoices>(`${path}/conversion-setup/targets`, account);
    const other = body.items.find(({ problem, name }) => problem === null && name !== this.action.name);
    if (!other) throw new Error(`no second conversion action: ${JSON.stringify(body)}`);
    return { ...account, name: other.name, settings: other.settings };
  }

  /** Rules that map the fields of `anOrder`. */
  rules(overrides: object = {}): Record<string, unknown> {
    const { settings, name } = this.action;
    return {
      source: { appId: this.pushApp.id, settings: {} },
      target: { appId: this.googleAppId, accountId: OWNER_ACCOUNT, name, settings },
      mapping: {
        id: { field: 'orderId' },
        occurredAt: { field: 'at' },
        value: { field: 'value' },
        currency: { value: 'EUR' },
        orderId: { field: 'orderId' },
        email: { field: 'customer.email' },
        phone: { field: 'customer.phone' },
        adjusts: { field: 'refundOf' },
        adUserData: { field: 'consent' },
        adPersonalization: { field: 'consent' },
      },
      ...overrides,
    };
  }

  /** The first conversion action, dataset or goal of a kind that can be chosen. */
  async target(provider: string, accountId: string, kind: string): Promise<Record<string, unknown>> {
    const { call, path } = this.organization;
    const appId = await aConnectedApp(this.organization, 'demo@example.com', provider);
    const { body } = expectStatus(
      await call.post<ConversionTargetChoices>(`${path}/conversion-setup/targets`, { appId, accountId }),
      200,
    );
    const choice = body.items.find((one) => one.kind === kind && one.problem === null);
    if (!choice) throw new Error(`no ${kind}: ${JSON.stringify(body.items)}`);
    return { appId, accountId, name: choice.name, settings: choice.settings };
  }

  async conversion(overrides: object = {}, rules: object = {}): Promise<ConversionEntry> {
    const schedule = { kind: 'manual', timeZone: 'UTC' };
    const body = { name: 'Orders', schedule, since: daysBefore(100), ...this.rules(rules), ...overrides };
    return expectStatus(await this.organization.call.post<ConversionEntry>(`${this.organization.path}/conversions`, body), 201)
      .body;
  }

  async events(id: string, query = ''): Promise<ConversionEventEntry[]> {
    const path = `${this.organization.path}/conversions/${id}/events?limit=100${query}`;
    return expectStatus(await this.organization.call.get<ConversionEventPage>(path), 200).body.items;
  }

  /** Makes everything due now that waits for a later time, and runs the conversion. */
  async runDue(id: string): Promise<void> {
    const before = await this.claims(id);
    await this.app.database.query(
      'update conversion_requests set next_status_at = now() where conversion_id = $1 and next_status_at is not null',
      [id],
    );
    await this.app.database.query(
      'update conversion_events set next_attempt_at = now() where conversion_id = $1 and next_attempt_at is not null',
      [id],
    );
    expectStatus(await this.organization.call.post(`${this.organization.path}/conversions/${id}/run`), 202);
    await eventually(
      async () => (await this.claims(id)) > before,
      (isClaimed) => isClaimed,
    );
    await eventually(
      () => this.runs(id),
      (items) => items.every(({ state }) => state !== 'running'),
    );
  }

  /** Waits until the next run is planned. */
  async planned(id: string): Promise<void> {
    const jobs = () =>
      this.app.database.query('select from graphile_worker.jobs where key = $1 and locked_at is null and run_at > now()', [
        `conversion:${id}`,
      ]);
    await eventually(jobs, ({ length }) => length > 0);
  }

  /** Makes the results of requests due, and lets the planned run start. */
  async reachNextStatus(id: string): Promise<void> {
    const before = await this.claims(id);
    await this.app.database.query(
      'update conversion_requests set next_status_at = now() where conversion_id = $1 and next_status_at is not null',
      [id],
    );
    await this.app.database.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [`conversion:${id}`]);
    await eventually(
      async () => (await this.claims(id)) > before,
      (isClaimed) => isClaimed,
    );
    await eventually(
      () => this.runs(id),
      (items) => items.every(({ state }) => state !== 'running'),
    );
  }

  /** Number of times that a worker claimed the conversion. */
  private async claims(id: string): Promise<bigint> {
    const [row] = await this.app.database.query<{ epoch: string }>(
      'select lease_epoch::text as epoch from conversions where id = $1',
      [id],
    );
    return BigInt(row?.epoch ?? 0);
  }

  /** Saves other rules. */
  async change(id: string, rules: object): Promise<void> {
    const { call, path } = this.organization;
    const { version } = expectStatus(await call.get<ConversionEntry>(`${path}/conversions/${id}`), 200).body;
    expectStatus(await call.patch(`${path}/conversions/${id}`, { rules, version }), 200);
  }

  async entry(id: string): Promise<ConversionEntry> {
    const { call, path } = this.organization;
    return expectStatus(await call.get<ConversionEntry>(`${path}/conversions/${id}`), 200).body;
  }

  /** One event with its whole life, by its key. */
  async detail(id: string, key: string): Promise<ConversionEventDetail> {
    const { call, path } = this.organization;
    const event = (await this.events(id)).find(({ dedupeKey }) => dedupeKey === key);
    return (await call.get<ConversionEventDetail>(`${path}/conversions/${id}/events/${event?.id}`)).body;
  }

  async act(id: string, action: 'pause' | 'resume'): Promise<void> {
    expectStatus(await this.organization.call.post(`${this.organization.path}/conversions/${id}/${action}`), 200);
  }

  /** Sends events again, and returns their number. */
  async replay(id: string, body: object): Promise<number> {
    const path = `${this.organization.path}/conversions/${id}/replay`;
    return expectStatus(await this.organization.call.post<{ events: number }>(path, body), 202).body.events;
  }

  /** Waits until no run is in progress or planned. */
  async isQuiet(id: string): Promise<void> {
    const jobs = () => this.app.database.query('select run_at from graphile_worker.jobs where key = $1', [`conversion:${id}`]);
    await eventually(jobs, ({ length }) => length === 0, 10_000);
  }

  async runs(id: string): Promise<ConversionRunPage['items']> {
    return (await this.organization.call.get<ConversionRunPage>(`${this.organization.path}/conversions/${id}/runs`)).body.items;
  }

  /** State, or the reason if there is one, by the id of the event. */
  async outcomes(id: string): Promise<Record<string, string>> {
    return Object.fromEntries((await this.events(id)).map(({ dedupeKey, state, code }) => [dedupeKey, code ?? state]));
  }

  /** Waits until a run has ended in the state. */
  async ran(id: string, state = 'succeeded', runs = 1): Promise<ConversionRunPage['items']> {
    return eventually(
      async () =>
        (await this.organization.call.get<ConversionRunPage>(`${this.organization.path}/conversions/${id}/runs`)).body.items,
      (items) => items.filter((run) => run.state === state).length >= runs && !items.some((run) => run.state === 'running'),
    );
  }

  /** What the sandbox's Google stored for the conversion action, also for other tests. */
  async received(settings = this.action.settings): Promise<StoredConversion[]> {
    const id = String(settings['conversionActionId']);
    const { conversionActions } = await this.sandbox.admin<{ conversionActions: { events: StoredConversion[] }[] }>(
      `data-manager/received?conversionActionId=${id}`,
    );
    return conversionActions.flatMap(({ events }) => events);
  }
}

export interface StoredConversion {
  transactionId: string;
  value: number;
  currency: string;
  [name: string]: unknown;
}

export async function aPushApp(app: TestApp, organization: Organization): Promise<PushApp> {
  const { call, path } = organization;
  const { id } = expectStatus(await call.post<{ id: string }>(`${path}/apps`, { provider: 'custom' }), 201).body;
  const { key } = expectStatus(await call.post<{ key: string }>(`${path}/apps/${id}/push/rotate-key`), 200).body;
  const { url } = (await call.get<{ url: string }>(`${path}/apps/${id}/push`)).body;
  const sender = app.http.withHeaders({ authorization: `Bearer ${key}` });
  return { id, push: async (events) => void expectStatus(await sender.post(new URL(url).pathname, events), 202) };
}

export const daysBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

let orders = 0;
export const anOrder = (overrides: object = {}): Record<string, unknown> => {
  orders += 1;
  return {
    orderId: `order-${orders}`,
    at: daysBefore(1),
    value: 12.5,
    consent: 'granted',
    customer: { email: 'shopper3@example.com', phone: '+49 171 1234567' },
    ...overrides,
  };
};
