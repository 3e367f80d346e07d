import { z } from 'zod';
import type { AdAccount, ConnectorContext, Row } from '../kit/contract.js';
import { accountOf } from './accounts.js';
import { KnownObjects } from './customers.js';
import { type PaymentEvent, subscriptionEvents } from './events.js';
import { balanceTransactionSchema, chargeSchema, subscriptionSchema } from './objects.js';
import type { ReadParts } from './read.js';
import { failedPaymentRow, isFailedPayment, moneyRow, subscriptionRows } from './rows.js';

/**
 * The newest events of an account, as rows of the table: one page of each list instead of whole days. A subscription is found by
 * when it was created, so the end of an older one is not among them.
 */
export async function sampleRows(
  { api, settings, now }: ReadParts,
  context: ConnectorContext,
  account: AdAccount,
  limit: number,
): Promise<Row[]> {
  const known = new KnownObjects(api, context, settings.customerIdType);
  const { isDefault, currency } = accountOf(account.externalId);
  const accountId = account.externalId;
  const page = { limit };
  const rows: (Row | null)[] = [];
  const charges = await api.get(context, '/v1/charges', listOf(chargeSchema), { ...page, expand: ['data.customer'] });
  for (const charge of charges.data) {
    known.keep(charge);
    if (isDefault && isFailedPayment(charge)) rows.push(await failedPaymentRow(accountId, charge, known));
  }
  const filter = { ...page, currency: currency ?? account.currency.toLowerCase(), expand: ['data.source'] };
  const booked = await api.get(context, '/v1/balance_transactions', listOf(balanceTransactionSchema), filter);
  for (const transaction of booked.data) rows.push(await moneyRow(accountId, transaction, settings.amountMode, known));
  if (isDefault && settings.events.some((event) => subscriptionEvents.has(event))) {
    const all = { ...page, status: 'all', expand: ['data.customer'] };
    const { data } = await api.get(context, '/v1/subscriptions', listOf(subscriptionSchema), all);
    for (const subscription of data) {
      rows.push(...(await subscriptionRows(accountId, subscription, known, now())));
    }
  }
  return rows.filter((row) => row !== null).filter(({ event }) => settings.events.includes(event as PaymentEvent));
}

const listOf = <Schema extends z.ZodType>(schema: Schema) => z.object({ data: z.array(schema) });
