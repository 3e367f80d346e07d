import { expect, test } from 'vitest';
import { fieldErrorsOf, readableText } from './field-errors';
import { toProblem } from './problem';

const rejection = (...errors: { field: string; message: string }[]) =>
  toProblem(400, { code: 'request.invalid', detail: errors.map(({ message }) => message).join('; '), errors }, null);

test('a message beside its field does not repeat the name of the property', () => {
  const problem = rejection(
    { field: 'schedule.cron', message: 'cron must leave at least 15 minutes between runs' },
    { field: 'schema.type', message: 'schema.type must be object' },
    { field: 'settings.options.color', message: 'is unknown' },
    { field: 'tags', message: 'each value in tags must be shorter than or equal to 40 characters' },
    { field: 'apps.0.key', message: 'key ads is used twice' },
    { field: 'settings.breakdowns', message: 'Google Ads has no breakdown color' },
  );
  expect(fieldErrorsOf(problem).map(({ message }) => message)).toEqual([
    'Must leave at least 15 minutes between runs',
    'Must be object',
    'Is unknown',
    'Each value must be shorter than or equal to 40 characters',
    'key ads is used twice',
    'Google Ads has no breakdown color',
  ]);
  expect(fieldErrorsOf(new Error('offline'))).toEqual([]);
});

test('a message away from its field names the property as a user reads it', () => {
  const long = { field: 'displayName', message: 'displayName must be shorter than or equal to 120 characters' };
  const zone = { field: 'schedule.timeZone', message: 'timeZone must be an IANA time zone' };
  const problem = rejection(long, zone);
  expect(readableText(problem.message, problem)).toBe(
    'Display name must be shorter than or equal to 120 characters; Time zone must be an IANA time zone',
  );
});

test('another text than the list of rejected fields stays as it is', () => {
  const long = { field: 'name', message: 'name must be shorter than or equal to 120 characters' };
  const problem = toProblem(400, { detail: 'The file has two keys', errors: [long] }, null);
  expect(readableText(problem.message, problem)).toBe('The file has two keys');
  expect(readableText('offline', new Error('offline'))).toBe('offline');
});
