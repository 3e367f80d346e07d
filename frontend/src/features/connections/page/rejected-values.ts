import { fieldErrorsOf } from '~/api/http/field-errors';

type Messages<Values> = Partial<Record<keyof Values & string, string>>;

/** Values that the server rejected, with its messages. */
export interface Rejection<Values> {
  values: Values;
  messages: Messages<Values>;
}

/** A part of a value, such as `schedule.cron`, counts as the value. The first message of a value is kept. */
export function rejectionOf<Values extends object>(error: unknown, values: Values): Rejection<Values> {
  const named = fieldErrorsOf(error).map(({ field, message }) => [field.split('.')[0] ?? '', message] as const);
  const known = named.filter(([name]) => Object.hasOwn(values, name));
  return { values, messages: Object.fromEntries(known.toReversed()) as Messages<Values> };
}

/** The messages of the values that have not changed since. */
export function messagesOf<Values extends object>({ values, messages }: Rejection<Values>, now: Values): Messages<Values> {
  const isSame = (name: keyof Values): boolean => JSON.stringify(values[name]) === JSON.stringify(now[name]);
  return Object.fromEntries(Object.entries(messages).filter(([name]) => isSame(name as keyof Values))) as Messages<Values>;
}
