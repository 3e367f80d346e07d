import { z } from 'zod';
import type { AdAccount, ConnectorContext, Row } from '../kit/contract.js';
import type {
  ConversionSource,
  ConversionSourceConnector,
  RecordPage,
  RecordSample,
  SourceRecord,
} from '../kit/conversion-source.js';
import { addDays } from '../kit/days.js';
import { listAccounts } from './accounts.js';
import { StripeApi, type StripeSettings } from './api.js';
import { type PaymentEvent, paymentEvents, paymentEventsStream, subscriptionEvents } from './events.js';
import { decimalsOf } from './money.js';
import { type ReadParts, rowsOf, rowsOfSubscriptions } from './read.js';
import { CUSTOMER_ID_TYPE, credentialsSchema } from './settings.js';

/**
 * Days before the cursor that are read again: fees may be booked late, and the last day may have been read before its end. Not for
 * subscriptions: one may be backdated by years, or start when a trial that ended weeks ago gets a payment method. Stripe lists them
 * whole in any case, and records that were read before are ignored.
 */
const OVERLAP_DAYS = 3;
const PAGE_RECORDS = 1_000;
const SAMPLE_DAYS = 30;

const settingsSchema = z.strictObject({
  events: z
    .array(z.enum(paymentEvents))
    .min(1)
    // A failed refund has a positive amount: without the mapping of what it adjusts it would be a new payment.
    .default(['payment_received', 'payment_refunded'])
    .meta({ title: 'Events', description: 'Events that become records.' }),
  customerIdType: z
    .string()
    .regex(CUSTOMER_ID_TYPE)
    .default('email')
    .meta({ title: 'Customer id', description: 'stripe_id, email, or metadata: and a key. It becomes the field customer_id.' }),
});

/** Payment events as records of a conversion: the columns of the table of payments, with the amount in units of the currency. */
export function stripeConversionSource(settings: StripeSettings): ConversionSourceConnector {
  return {
    provider: 'stripe',
    name: 'Stripe',
    settingsSchema,
    defaultFields: { id: 'event_id', occurredAt: 'occurred_at' },
    open: (given, _place, access) => {
      if (access.authMode !== 'api_key') throw new Error('Stripe is opened with a restricted key');
      const { apiKey } = credentialsSchema.parse(access.credentials);
      const api = new StripeApi(settings, { apiKey: () => Promise.resolve(apiKey) });
      return new StripeRecords(api, settingsSchema.parse(given), settings.now);
    },
  };
}

class StripeRecords implements ConversionSource {
  constructor(
    private readonly api: StripeApi,
    private readonly settings: z.infer<typeof settingsSchema>,
    private readonly now: () => Date,
  ) {}

  async sample(context: ConnectorContext, limit: number): Promise<RecordSample> {
    const today = dayOf(this.now());
    const records: SourceRecord[] = [];
    const account = await this.account(context);
    for (let back = 0; back < SAMPLE_DAYS && records.length <= limit; back++) {
      const day = addDays(today, -back);
      for await (const page of this.recordsOf(context, account, day)) records.push(...page);
    }
    const fields = [...paymentEventsStream.columns.map(({ name }) => name), 'amount', ...(this.hasEmail ? ['email'] : [])];
    return { records: records.slice(0, limit), fields, hasMore: records.length > limit };
  }

  /** Subscriptions first, then day by day, so that a read that ends early continues at its day. */
  async *read(context: ConnectorContext, cursor: Record<string, unknown> | null, since: Date): AsyncGenerator<RecordPage> {
    const { events } = this.settings;
    const first = dayOf(since);
    const start = cursor ? laterOf(first, addDays(String(cursor['day']), -OVERLAP_DAYS)) : first;
    const today = dayOf(this.now());
    const account = await this.account(context);
    const days = { from: first, to: today };
    if (events.some((event) => subscriptionEvents.has(event)))
      for await (const rows of rowsOfSubscriptions(this.partsOf(events), context, { accountId: account.externalId }, days))
        yield* pagesOf(this.toRecords(rows).filter(isSince(since)), null);
    const others = events.filter((event) => !subscriptionEvents.has(event));
    for (let day = start; day <= today; day = addDays(day, 1)) {
      const ofDay: SourceRecord[] = [];
      if (others.length > 0) for await (const page of this.recordsOf(context, account, day, others)) ofDay.push(...page);
      yield* pagesOf(ofDay.filter(isSince(since)), { day });
    }
  }

  /** That of the default currency, with which all currencies are read. */
  private async account(context: ConnectorContext): Promise<AdAccount> {
    const [account] = await listAccounts(this.api, context);
    if (!account) throw new Error('Stripe named no account');
    return account;
  }

  private get hasEmail(): boolean {
    return this.settings.customerIdType === 'email';
  }

  /** The address under its usual name, so that a mapping finds it. */
  private withEmail(record: SourceRecord): SourceRecord {
    return this.hasEmail ? { ...record, email: record['customer_id'] ?? null } : record;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async *recordsOf(
    context: ConnectorContext,
    account: AdAccount,
    day: string,
    events = this.settings.events,
  ): AsyncGenerator<SourceRecord[]> {
    for await (const rows of rowsOf(this.partsOf(events), context, { account, from: day, to: day })) yield this.toRecords(rows);
  }

  private partsOf(events: PaymentEvent[]): ReadParts {
    const settings = { events, customerIdType: this.settings.customerIdType, amountMode: 'gross' as const };
    return { api: this.api, settings, now: this.now, hasAllCurrencies: true, countsCaptured: true };
  }

  private toRecords(rows: Row[]): SourceRecord[] {
    const { events } = this.settings;
    return rows
      .filter(({ event }) => events.includes(event as PaymentEvent))
      .filter((row) => !isReturnOfUnknown(row))
      .map((row) => this.withEmail(toRecord(row)));
  }
}

const isSince =
  (since: Date) =>
  (record: SourceRecord): boolean =>
    String(record['occurred_at']) >= since.toISOString();

/** At least one page, so that the cursor is stored after the last one. */
function* pagesOf(records: SourceRecord[], cursor: { day: string } | null): Generator<RecordPage> {
  for (let at = 0; at === 0 || at < records.length; at += PAGE_RECORDS) {
    const part = records.slice(at, at + PAGE_RECORDS);
    const isLast = at + PAGE_RECORDS >= records.length;
    yield { records: part, bytes: Buffer.byteLength(JSON.stringify(part)), cursor: isLast ? cursor : null };
  }
}

/** Its amount is positive, so without its payment it would be taken for a new one. */
const isReturnOfUnknown = ({ event, original_event_id: original }: Row): boolean =>
  (event === 'refund_failed' || event === 'dispute_reinstated') && original === null;

/** `amount` is what the customer paid, exactly, as text with the decimals of its currency. */
function toRecord(row: Row): SourceRecord {
  const record: SourceRecord = {};
  for (const [name, value] of Object.entries(row)) record[name] = typeof value === 'bigint' ? String(value) : value;
  const currency = String(row['charged_currency'] ?? row['currency']);
  return { ...record, amount: decimalText(row['charged_minor'], decimalsOf(currency)) };
}

function decimalText(minor: Row[string] | undefined, decimals: number): string | null {
  if (typeof minor !== 'bigint') return null;
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return minor < 0n ? `-${text}` : text;
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
const laterOf = (one: string, other: string): string => (one > other ? one : other);
