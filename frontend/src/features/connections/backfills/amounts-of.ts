import type { BackfillEstimate } from '~/api/types';
import { formatEstimate, plural } from '~/lib/numbers';

const estimated = (count: number, one: string): string => `${formatEstimate(count)} ${count === 1 ? one : `${one}s`}`;

/** `1 account-day, about 1 row, 1 API call` */
export function amountsOf({ accountDays, apiCalls, rows }: BackfillEstimate): string {
  const rowsText = rows === null ? 'rows not known yet' : `about ${estimated(rows, 'row')}`;
  return `${plural(accountDays, 'account-day')}, ${rowsText}, ${estimated(apiCalls, 'API call')}`;
}
