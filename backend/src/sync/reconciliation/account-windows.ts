import type { AdAccount, Day } from '../../connectors/kit/contract.js';
import { addDays, dayInTimeZone } from '../../connectors/kit/days.js';

/** Settled days that are compared each night, before the lookback window. */
export const SETTLED_DAYS = 30;
/** The longest lookback window of a platform. A longer setting of a user is not compared beyond it. */
const MOST_LOOKBACK_DAYS = 90;
/** For an account whose window is not known. */
const USUAL_LOOKBACK_DAYS = 30;

export interface AccountWindow {
  account: AdAccount;
  from: Day;
  /** Yesterday in the account's calendar: today is still changing. */
  to: Day;
  /** The first day that may still change. */
  provisionalFrom: Day;
}

/** The days that are compared: the lookback window and 30 settled days before it, within the loaded history. */
export function windowOf(account: AdAccount, lookbackDays: number | undefined, historyFrom: Day, now: Date): AccountWindow {
  const today = dayInTimeZone(now, account.timeZone);
  const lookback = Math.min(lookbackDays ?? USUAL_LOOKBACK_DAYS, MOST_LOOKBACK_DAYS);
  const provisionalFrom = addDays(today, -lookback);
  const first = addDays(provisionalFrom, -SETTLED_DAYS);
  return { account, from: first < historyFrom ? historyFrom : first, to: addDays(today, -1), provisionalFrom };
}
