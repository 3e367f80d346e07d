import type { Account } from './accounts.ts';
import type { ReadContext } from './report-rows.ts';
import type { MicrosoftAdsState } from './state.ts';
import { ianaZone } from './time-zones.ts';

export function contextOf(state: MicrosoftAdsState, account: Account): ReadContext {
  return {
    account,
    today: state.clock.today(ianaZone(account.timeZone)),
    revisionOf: (day) => state.revisionOf(account.id, day),
  };
}
