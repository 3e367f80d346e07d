import { z } from 'zod';
import { jsonColumn } from '../core/database/json-column.js';
import type { Plan } from './billing.dto.js';

/** `subscriptions.plan`. A plan without decimals is from an older version, and is read from Stripe again. */
export const planColumn = jsonColumn<Plan>(
  z.object({
    name: z.string(),
    amountMinor: z.number().nullable(),
    decimals: z.number(),
    currency: z.string(),
    interval: z.enum(['day', 'week', 'month', 'year']),
    intervalCount: z.number(),
  }),
);
