import { Injectable } from '@nestjs/common';
import { accountsColumn, AuthorizedApps, ProviderBudget } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import { decimalsOf, PAYMENT_PROVIDER, type PaymentEvent } from '../../connectors/catalog.js';
import type { Row } from '../../connectors/kit/contract.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { asProblem } from '../../core/http/failures.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { verifiedUntil } from '../../read-models/index.js';
import type { PaymentEventSample, SampledPaymentEvent } from './sample.dto.js';

const TIMEOUT_MS = 60_000;
/** Settlement currencies that are read. Each needs a few requests. */
const MOST_ACCOUNTS = 3;

/** Reads the newest loaded events of a payment from Stripe: destinations return sums, not rows. */
@Injectable()
export class SamplePaymentEvents {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly access: AuthorizedApps,
    private readonly budget: ProviderBudget,
  ) {}

  async sample(organizationId: string, paymentId: string): Promise<PaymentEventSample> {
    const payment = await this.tenants.of(organizationId).payment.findFirst({
      where: { id: paymentId, deletedAt: null },
      include: { app: true },
    });
    if (!payment) throw notFound('The payment');
    const { app, events, customerIdType, amountMode, historyFrom } = payment;
    if (app.state !== 'connected' && app.state !== 'expiring')
      throw new Problem('app.not_connected', {
        detail: `${app.displayName} is not connected.`,
        action: 'Enter a valid key first',
      });
    const verifiedAt = await verifiedUntil(this.tenants, organizationId, paymentId);
    const loadedUntil = verifiedAt?.toISOString() ?? null;
    if (loadedUntil === null) return { items: [], loadedUntil };
    const context = this.budget.contextOf(organizationId, PAYMENT_PROVIDER, AbortSignal.timeout(TIMEOUT_MS));
    const key = this.access.keyOf({ organizationId, id: app.id });
    const rows: Row[] = [];
    for (const account of accountsColumn.get(app.accounts).slice(0, MOST_ACCOUNTS)) {
      const range = { account, limit: LIST_LIMITS.paymentEvents };
      const settings = { events, customerIdType, amountMode };
      rows.push(
        ...(await this.connectors.getPaymentSource(PAYMENT_PROVIDER).sample(key, context, settings, range).catch(rethrow)),
      );
    }
    const first = historyFrom.toISOString().slice(0, 10);
    const items = rows
      // Stripe's times have no milliseconds, so the second of the last run may be loaded only in part.
      .filter((row) => String(row['date']) >= first && String(row['occurred_at']) < secondOf(loadedUntil))
      .toSorted((one, other) => (String(one['occurred_at']) < String(other['occurred_at']) ? 1 : -1))
      .slice(0, LIST_LIMITS.paymentEvents)
      .map((row) => toSample(row, customerIdType));
    return { items, loadedUntil };
  }
}

const secondOf = (at: string): string => `${at.slice(0, 19)}.000Z`;

const rethrow = (error: unknown): never => {
  throw asProblem(error);
};

const text = (value: Row[string] | undefined): string | null => (typeof value === 'string' ? value : null);
const number = (value: Row[string] | undefined): number | null => (typeof value === 'bigint' ? Number(value) : null);

function toSample(row: Row, customerIdType: string): SampledPaymentEvent {
  const currency = String(row['currency']);
  const chargedCurrency = text(row['charged_currency']);
  const customer = text(row['customer_id']);
  return {
    eventId: String(row['event_id']),
    event: String(row['event']) as PaymentEvent,
    occurredAt: String(row['occurred_at']),
    currency,
    decimals: decimalsOf(currency),
    amountMinor: number(row['amount_minor']) ?? 0,
    feeMinor: number(row['fee_minor']) ?? 0,
    chargedCurrency,
    chargedMinor: number(row['charged_minor']),
    chargedDecimals: chargedCurrency === null ? null : decimalsOf(chargedCurrency),
    customer: customerIdType === 'stripe_id' || customer === null ? customer : `${[...customer][0] ?? ''}…`,
    originalEventId: text(row['original_event_id']),
  };
}
