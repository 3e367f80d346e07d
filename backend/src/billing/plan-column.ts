import { z } from 'zod';
import { jsonColumn } from '../core/database/json-column.js';
import type { Plan } from './billing.dto.js';

/** `subscriptions.plan` */
export const planColumn = jsonColumn<Plan>(
  z.object({
    name: z.string(),
    amountMinor: z.number(),
    currency: z.string(),
    interval: z.enum(['day', 'week', 'month', 'year']),
  }),
);
