import {
  ineligible,
  type ConversionEvent,
  type ConversionPolicy,
  type Note,
  type Preparation,
  type PreparedEvent,
} from '../kit/conversion.js';
import {
  checkConsent,
  checkId,
  checkTime,
  expiresAt,
  isIneligible,
  readAmount,
  type AgeLimits,
} from '../kit/conversion-gates.js';
import { hashIdentifiers } from '../kit/identifiers.js';
import { rules, RULES_VERSION } from './identifiers.js';

/** An offline conversion goal of an ad account. */
export interface OfflineGoal {
  /** The conversion window of the goal, in days. Events later than this after the click are not counted. */
  windowDays: number;
  /** Only such goals accept hashed e-mail addresses and phone numbers. */
  hasEnhancedConversions: boolean;
}

export const OFFLINE_MAX_AGE_DAYS = 90;

const SERVICE = 'Microsoft Advertising';

export function prepareOfflineEvent(event: ConversionEvent, policy: ConversionPolicy, goal: OfflineGoal, now: Date): Preparation {
  const limits: AgeLimits = {
    service: SERVICE,
    maxAgeDays: OFFLINE_MAX_AGE_DAYS,
    clickWindowDays: goal.windowDays,
    rejectsFuture: true,
  };
  // The call has no field for consent.
  const blocked =
    checkConsent(event, policy, { service: SERVICE, canRestrictPersonalization: false }) ??
    checkTime(event, now, limits) ??
    checkId(event);
  if (blocked) return blocked;
  const amount = readAmount(event);
  if (isIneligible(amount)) return amount;
  const { hashes, notes } = hashIdentifiers(event, goal.hasEnhancedConversions ? rules : {}, policy);
  const clickId = event.identifiers.msclkid?.trim();
  if (!clickId && !hashes.email && !hashes.phone) return missingIdentifiers(goal);
  const payload = {
    ...(clickId && { MicrosoftClickId: clickId }),
    ConversionTime: event.occurredAt.toISOString(),
    ...(amount && { ConversionValue: amount.value, ConversionCurrencyCode: amount.currency }),
    ...(hashes.email && { HashedEmailAddress: hashes.email }),
    ...(hashes.phone && { HashedPhoneNumber: hashes.phone }),
  };
  return {
    state: 'eligible',
    id: event.id,
    payload,
    rulesVersion: RULES_VERSION,
    expiresAt: expiresAt(event, limits),
    notes: amount ? notes : [...notes, goalValue],
  };
}

const missingIdentifiers = ({ hasEnhancedConversions }: OfflineGoal): Preparation =>
  ineligible(
    'missing_identifiers',
    hasEnhancedConversions
      ? 'The event has no Microsoft click id, valid e-mail address or phone number.'
      : 'The event has no Microsoft click id. E-mail addresses and phone numbers require a goal with enhanced conversions.',
  );

const goalValue: Note = {
  code: 'goal_value_used',
  message: 'The event has no value, so Microsoft Advertising uses the value of the goal.',
};

/** Body of `OfflineConversions/Apply`. */
export const buildOfflineRequest = (goalName: string, events: PreparedEvent[]): Record<string, unknown> => ({
  OfflineConversions: forGoal(goalName, events).map(({ payload }) => payload),
});

/** The name of the goal is added when an event is sent: the goal may be renamed, or another one chosen, while the event waits. */
export const forGoal = (ConversionName: string, events: PreparedEvent[]): PreparedEvent[] =>
  events.map((event) => ({ ...event, payload: { ...event.payload, ConversionName } }));
