import { isRecord } from '~/lib/is-record';
import { mappingNeeds } from './event-fields';
import type { Mapping, PersonField } from './event-fields';

export const OPERATORS = ['equals', 'not_equals', 'contains', 'exists', 'not_exists'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  field: string;
  operator: Operator;
  value: string;
}

/** The rules that decide which events are sent, and how; without source and target. */
export interface EventRules {
  filter: Condition[];
  mapping: Mapping;
  hashedFields: PersonField[];
  countRule: 'first_only' | 'every';
  onUnknownConsent: 'block' | 'send';
  onUnknownOutcome: 'resend' | 'hold';
  defaultCountry: string | null;
  hashesExternalId: boolean;
  sendsAdjustments: boolean;
  testCode: string | null;
}

export const startingRules: EventRules = {
  filter: [],
  mapping: {},
  hashedFields: [],
  countRule: 'every',
  onUnknownConsent: 'block',
  onUnknownOutcome: 'resend',
  defaultCountry: null,
  hashesExternalId: true,
  sendsAdjustments: false,
  testCode: null,
};

/** `exists` and `not_exists` compare with no value. */
export const takesValue = (operator: Operator): boolean => operator !== 'exists' && operator !== 'not_exists';

/** The mapping of a response, which the API document describes only as an object. */
export function readMapping(value: Record<string, unknown>): Mapping {
  const isOrigin = (origin: unknown) =>
    isRecord(origin) && (typeof origin.field === 'string' || typeof origin.value === 'string');
  return Object.fromEntries(Object.entries(value).filter(([, origin]) => isOrigin(origin)));
}

export const filterNeeds = (filter: Condition[]): string | null =>
  filter.some(({ field }) => field === '') ? 'Select the field of each condition' : null;

/** `DE` for ` de`; the text itself while it is no country code. */
export const countryCode = (text: string): string | null => text.trim().toUpperCase() || null;

/** The first invalid input of the consent form, or null. */
export function consentNeeds({ defaultCountry, mapping }: EventRules): string | null {
  if (defaultCountry !== null && !/^[A-Z]{2}$/.test(defaultCountry)) return 'Enter a country code such as DE';
  return mappingNeeds(mapping);
}

/** Trims constants and the test code, and drops hash marks of fields that are not mapped. */
export function cleanRules(rules: EventRules): EventRules {
  const entries = Object.entries(rules.mapping).map(([name, origin]) => [
    name,
    'value' in origin ? { value: origin.value.trim() } : origin,
  ]);
  return {
    ...rules,
    mapping: Object.fromEntries(entries) as Mapping,
    hashedFields: rules.hashedFields.filter((name) => rules.mapping[name] !== undefined),
    filter: rules.filter.map((condition) => (takesValue(condition.operator) ? condition : { ...condition, value: '' })),
    testCode: rules.testCode?.trim() || null,
  };
}
