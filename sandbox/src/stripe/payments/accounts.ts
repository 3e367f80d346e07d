import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidFault } from '../../faults.ts';
import { Deliveries } from '../deliveries.ts';
import { newId } from '../ids.ts';
import type { WebhookEndpoint } from '../objects.ts';
import { addEndpoint } from '../webhooks.ts';
import { PaymentAccount, type AccountIdentity, type AccountParts } from './account.ts';
import { allRights, seededKeys, seededSteps, seeds, type RestrictedKey } from './seeds.ts';
import { momentOf, type StepFields } from './step-input.ts';
import { applyStep } from './steps.ts';
import type { Row } from './table.ts';

/** One change, as it is stored. The same changes in the same order give the same accounts. */
type Change =
  | { change: 'seeded'; accountId: string; until: number }
  | { change: 'created'; identity: AccountIdentity }
  | { change: 'removed'; accountId: string }
  | { change: 'key'; key: RestrictedKey }
  | { change: 'steps'; accountId: string; steps: StepFields[] }
  | { change: 'endpoint'; accountId: string; endpoint: WebhookEndpoint; secret: string }
  | { change: 'endpoint removed'; accountId: string; id: string };

/** All accounts of customers with their keys. With a data folder, changes survive a restart; open deliveries do not. */
export class PaymentAccounts {
  readonly #parts: AccountParts;
  readonly #file: string | null;
  readonly #accounts = new Map<string, PaymentAccount>();
  readonly #deliveries = new Map<string, Deliveries>();
  readonly #keys = new Map(seededKeys.map((key) => [key.key, key]));
  #isReading = false;

  constructor(parts: AccountParts, dataDir: string | undefined) {
    this.#parts = parts;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#file = dataDir ? join(dataDir, 'payments.jsonl') : null;
    if (this.#file) this.#read(this.#file);
  }

  /** Seeded accounts get their history when they are used first, so that a sandbox starts quickly. */
  find(id: string): PaymentAccount | undefined {
    if (!this.#accounts.has(id) && seeds.has(id)) {
      const day = 86_400;
      const until = Math.floor(this.#parts.clock.now().getTime() / 1_000 / day) * day;
      this.#seed(id, until);
    }
    return this.#accounts.get(id);
  }

  get(id: string): PaymentAccount {
    const account = this.find(id);
    if (!account) throw new InvalidFault(`Unknown account ${id}`, { known: this.list().map((identity) => identity.id) });
    return account;
  }

  list(): AccountIdentity[] {
    const own = [...this.#accounts.values()].map(({ identity }) => identity).filter(({ id }) => !seeds.has(id));
    return [...[...seeds.values()].map(({ identity }) => identity), ...own];
  }

  keysOf(accountId: string): RestrictedKey[] {
    return [...this.#keys.values()].filter((key) => key.accountId === accountId);
  }

  byKey(text: string): { account: PaymentAccount; key: RestrictedKey } | undefined {
    const key = this.#keys.get(text);
    const account = key && this.find(key.accountId);
    return key && account ? { account, key } : undefined;
  }

  /** An empty account with a key that has all rights. */
  create(identity: AccountIdentity): { account: PaymentAccount; key: RestrictedKey } {
    if (this.find(identity.id)) throw new InvalidFault(`The account ${identity.id} exists`);
    const account = this.#open(identity);
    this.#keep({ change: 'created', identity });
    return { account, key: this.addKey(account, allRights, false) };
  }

  /** Test and live mode of an account have the same id. Here they also have the same objects. */
  addKey(account: PaymentAccount, rights: string[], isExpired: boolean, isLive = account.identity.isLive): RestrictedKey {
    const mode = isLive ? 'live' : 'test';
    const key: RestrictedKey = { key: newId(`rk_${mode}_`), accountId: account.accountId, rights, isExpired };
    this.#keys.set(key.key, key);
    this.#keep({ change: 'key', key });
    return key;
  }

  remove(account: PaymentAccount): void {
    if (seeds.has(account.accountId)) throw new InvalidFault('Seeded accounts cannot be removed');
    this.#forget(account.accountId);
    this.#keep({ change: 'removed', accountId: account.accountId });
  }

  /** Lets steps happen one after the other. If one is invalid, the ones before it have happened. */
  run(account: PaymentAccount, steps: StepFields[]): (Row | null)[] {
    const done: StepFields[] = [];
    try {
      return steps.map((fields, place) => {
        // A time relative to now would be another one after a restart.
        const { daysAgo, ...others } = fields;
        const dated = { ...others, at: momentOf(fields, account.now(), `Step ${place}`) };
        const row = applyStep(account, dated, place);
        done.push(dated);
        return row;
      });
    } finally {
      if (done.length > 0) this.#keep({ change: 'steps', accountId: account.accountId, steps: done });
    }
  }

  deliveriesOf(account: PaymentAccount): Deliveries {
    const deliveries = this.#deliveries.get(account.accountId);
    if (!deliveries) throw new Error(`The account ${account.accountId} delivers nothing`);
    return deliveries;
  }

  addEndpoint(
    account: PaymentAccount,
    url: string,
    enabledEvents: string[],
    more: Partial<WebhookEndpoint>,
    secret = newId('whsec_', 32),
  ): WebhookEndpoint {
    const livemode = { livemode: account.identity.isLive };
    const endpoint = addEndpoint(account, url, enabledEvents, { ...livemode, ...more }, secret);
    this.#keep({ change: 'endpoint', accountId: account.accountId, endpoint, secret });
    return endpoint;
  }

  removeEndpoint(account: PaymentAccount, id: string): void {
    account.endpoints.delete(id);
    account.secrets.delete(id);
    this.#keep({ change: 'endpoint removed', accountId: account.accountId, id });
  }

  close(): void {
    for (const deliveries of this.#deliveries.values()) deliveries.close();
  }

  #open(identity: AccountIdentity): PaymentAccount {
    const account = new PaymentAccount(identity, this.#parts);
    this.#accounts.set(identity.id, account);
    // While stored changes are repeated, their events are not delivered again.
    if (!this.#isReading) this.#deliveries.set(identity.id, new Deliveries(account));
    return account;
  }

  #seed(id: string, until: number): void {
    const seed = seeds.get(id);
    if (!seed) return;
    const account = this.#open(seed.identity);
    for (const [place, fields] of seededSteps(seed, until).entries()) applyStep(account, fields, place);
    this.#keep({ change: 'seeded', accountId: id, until });
  }

  #forget(accountId: string): void {
    this.#deliveries.get(accountId)?.close();
    this.#deliveries.delete(accountId);
    this.#accounts.delete(accountId);
    for (const { key } of this.keysOf(accountId)) this.#keys.delete(key);
  }

  #keep(change: Change): void {
    if (this.#file && !this.#isReading) appendFileSync(this.#file, `${JSON.stringify(change)}\n`);
  }

  #read(file: string): void {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // Nothing has changed yet.
    }
    this.#isReading = true;
    for (const line of text.split('\n').filter((part) => part.endsWith('}'))) this.#repeat(JSON.parse(line) as Change);
    this.#isReading = false;
    for (const [id, account] of this.#accounts) this.#deliveries.set(id, new Deliveries(account));
  }

  #repeat(change: Change): void {
    switch (change.change) {
      case 'seeded':
        return this.#seed(change.accountId, change.until);
      case 'created':
        return void this.#open(change.identity);
      case 'removed':
        return this.#forget(change.accountId);
      case 'key':
        return void this.#keys.set(change.key.key, change.key);
      case 'steps':
        return void this.run(this.get(change.accountId), change.steps);
      case 'endpoint': {
        const { endpoints, secrets } = this.get(change.accountId);
        endpoints.set(change.endpoint.id, change.endpoint);
        return void secrets.set(change.endpoint.id, change.secret);
      }
      case 'endpoint removed': {
        const { endpoints, secrets } = this.get(change.accountId);
        endpoints.delete(change.id);
        return void secrets.delete(change.id);
      }
    }
  }
}
