import { Injectable } from '@nestjs/common';
import { decimalsOf, RECURRING_DEFINITION_VERSION, recurringDefinition } from '../../connectors/catalog.js';
import type { MonthlyRevenue, RecurringRevenue } from '../../connectors/kit/recurring-revenue.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { failureColumn } from '../../core/http/failures.js';
import { jsonColumn } from '../../core/database/json-column.js';
import { z } from 'zod';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { notFound } from '../../core/http/problem.js';
import type { PaymentRecurringRevenue } from '../../generated/prisma/client.js';
import type { RecurringRevenueAmount, RecurringRevenueEntry } from './recurring-revenue.dto.js';

const DAY_MS = 86_400_000;

@Injectable()
export class RecurringRevenueQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async getRecurringRevenue(organizationId: string, paymentId: string): Promise<RecurringRevenueEntry> {
    const tenant = this.tenants.of(organizationId);
    const payment = await tenant.payment.findFirst({
      where: { id: paymentId, deletedAt: null },
      select: { revenueFailure: true },
    });
    if (!payment) throw notFound('The payment');
    // The newest figure may be older than the history, if the payment was paused.
    const latest = await tenant.paymentRecurringRevenue.findFirst({ where: { paymentId }, orderBy: { day: 'desc' } });
    const since = new Date(Date.now() - LIST_LIMITS.revenueDays * DAY_MS);
    const days = await tenant.paymentRecurringRevenue.findMany({
      where: { paymentId, day: { gt: since } },
      orderBy: { day: 'asc' },
      take: LIST_LIMITS.revenueDays,
    });
    const facts = latest as (PaymentRecurringRevenue & Pick<RecurringRevenue, 'leftOut' | 'uncertain'>) | null;
    return {
      definitionVersion: RECURRING_DEFINITION_VERSION,
      definition: recurringDefinition,
      computedAt: latest?.computedAt.toISOString() ?? null,
      currencies: latest ? amountsOf(latest) : [],
      leftOut: facts?.leftOut ?? [],
      uncertain: facts?.uncertain ?? [],
      failure: failureColumn.read(payment.revenueFailure),
      history: days.map((one) => ({
        day: one.day.toISOString().slice(0, 10),
        definitionVersion: one.definitionVersion,
        currencies: amountsOf(one),
      })),
    };
  }
}

/** `payment_recurring_revenues.currencies` */
const currenciesColumn = jsonColumn<MonthlyRevenue[]>(
  z.array(
    z.object({
      currency: z.string(),
      amountMinor: z.number(),
      pastDueMinor: z.number(),
      endingMinor: z.number(),
      subscriptions: z.number(),
    }),
  ),
);

const amountsOf = ({ currencies }: PaymentRecurringRevenue): RecurringRevenueAmount[] =>
  currenciesColumn.get(currencies).map((amount) => ({ ...amount, decimals: decimalsOf(amount.currency) }));
