import { expect, test } from 'vitest';
import type { BackfillEstimate } from '~/api/types';
import { amountsOf } from './amounts-of';

const estimateOf = (accountDays: number, rows: number | null, apiCalls: number) =>
  ({ accountDays, rows, apiCalls }) as BackfillEstimate;

test.each([
  [estimateOf(1, 1, 1), '1 account-day, about 1 row, 1 API call'],
  [estimateOf(3, 1_200, 2), '3 account-days, about 1,200 rows, 2 API calls'],
  [estimateOf(2, null, 0), '2 account-days, rows not known yet, 0 API calls'],
])('the amounts of a backfill use the singular for one', (estimate, text) => expect(amountsOf(estimate)).toBe(text));
