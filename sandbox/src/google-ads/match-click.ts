import { accounts } from './accounts.ts';
import { clickKinds, lastClickOf, maximumClickDays, readClick, type Click, type ClickKind } from './clicks.ts';
import { conversionCustomerOf, type ConversionAction } from './conversion-actions.ts';

const dayMs = 86_400_000;
const recentClickMs = 6 * 3_600_000;

export interface ClickQuery {
  clickIds: Partial<Record<ClickKind, string | undefined>>;
  /** SHA-256 of email addresses and phone numbers, in hexadecimal. */
  hashes: string[];
  /** Time of the conversion in milliseconds. */
  eventAt: number;
}

/** The click of a conversion by its id, or the last click of the person. Otherwise the reason, as the Data Manager API names it. */
export function matchClick({ clickIds, hashes, eventAt }: ClickQuery, action: ConversionAction, now: number): Click | string {
  const click = findClick(clickIds, hashes, eventAt, action);
  return typeof click === 'string' ? click : (problemOf(click, eventAt, now, action) ?? click);
}

function findClick(
  clickIds: ClickQuery['clickIds'],
  hashes: string[],
  eventAt: number,
  action: ConversionAction,
): Click | string {
  const kind = clickKinds.find((one) => clickIds[one]);
  if (kind) {
    if (kind !== 'gclid' && action.countingType === 'ONE_PER_CLICK')
      return 'ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID';
    const click = readClick(kind, clickIds[kind] as string);
    if (click === 'invalid') return `INVALID_${kind.toUpperCase()}`;
    if (click !== 'unknown') return click;
  }
  return lastClickOf(hashes, clickAccountsOf(action), eventAt) ?? 'CLICK_NOT_FOUND';
}

/** The accounts whose clicks count for the action. */
function clickAccountsOf({ ownerId }: ConversionAction): string[] {
  return [...accounts.values()].filter((account) => conversionCustomerOf(account).id === ownerId).map(({ id }) => id);
}

function problemOf({ customerId, clickedAt }: Click, eventAt: number, now: number, action: ConversionAction): string | null {
  const isOwn = customerId === action.ownerId || clickAccountsOf(action).includes(customerId);
  if (!isOwn) return 'INVALID_OPERATING_ACCOUNT_FOR_CLICK';
  if (eventAt < clickedAt) return 'CONVERSION_PRECEDES_CLICK';
  const isTooOld = eventAt - clickedAt > action.clickDays * dayMs || now - clickedAt > maximumClickDays * dayMs;
  if (isTooOld) return 'EVENT_TOO_OLD';
  return now - clickedAt < recentClickMs ? 'TOO_RECENT_CLICK' : null;
}
