import { seededClick, type Click } from './clicks.ts';
import type { Reason, ReceivedRows } from './received-rows.ts';
import type { UploadGoal } from './upload-goals.ts';
import { minuteMs, normalizedClickId } from './values.ts';

/** How a conversion can be matched with a click. */
export interface Identifiers {
  clickId: string | null;
  hashedEmailAddress: string | null;
  hashedPhoneNumber: string | null;
}

export function findClick(received: ReceivedRows, clickId: string, now: number): Click | undefined {
  const id = normalizedClickId(clickId);
  return received.clicks.find((click) => click.id === id) ?? seededClick(clickId, now);
}

/** The latest click of the person before the conversion, or the first one after it. */
export function findClickByPerson(
  received: ReceivedRows,
  accountId: string,
  { hashedEmailAddress, hashedPhoneNumber }: Identifiers,
  time: number,
): Click | undefined {
  const clicks = received.clicks
    .filter((click) => click.accountId === accountId)
    .filter(
      (click) =>
        (hashedEmailAddress !== null && click.hashedEmailAddress === hashedEmailAddress) ||
        (hashedPhoneNumber !== null && click.hashedPhoneNumber === hashedPhoneNumber),
    )
    .sort((left, right) => left.clickedAt - right.clickedAt);
  return clicks.findLast(({ clickedAt }) => clickedAt <= time) ?? clicks[0];
}

/** The click of an accepted conversion, or why there is none. */
export function attribute(
  received: ReceivedRows,
  accountId: string,
  goal: UploadGoal,
  identifiers: Identifiers,
  { time, now }: { time: number; now: number },
): { click: Click } | { reason: Reason } {
  if (goal.status !== 'Active') return { reason: 'GoalNotFoundOrInactive' };
  const named = identifiers.clickId === null ? undefined : findClick(received, identifiers.clickId, now);
  const own = named?.accountId === accountId ? named : findClickByPerson(received, accountId, identifiers, time);
  if (!own) {
    if (named) return { reason: 'AccountMismatch' };
    return { reason: identifiers.clickId === null ? 'MissingMatchIdentifiers' : 'NoMatchingClickFound' };
  }
  if (own.clickedAt > time) return { reason: 'ClickTimestampAfterConversion' };
  if (time - own.clickedAt > goal.windowMinutes * minuteMs) return { reason: 'OutsideGoalLookbackWindow' };
  return { click: own };
}
