import { expect, test } from 'vitest';
import { toProblem } from '~/api/http/problem';
import { messagesOf, rejectionOf } from './rejected-values';

const values = { name: 'Search', schedule: { kind: 'cron', cron: '0,55 0,23 * * 1' }, tags: ['a'] };

const problem = toProblem(
  400,
  {
    errors: [
      { field: 'schedule.cron', message: 'cron must leave at least 15 minutes between runs' },
      { field: 'schedule.timeZone', message: 'timeZone must be an IANA time zone' },
      { field: 'tags', message: 'each value in tags must be shorter' },
      { field: 'version', message: 'version must be an integer' },
    ],
  },
  null,
);

test('the messages of the server are assigned to the values of the form, the first one of each', () => {
  expect(messagesOf(rejectionOf(problem, values), values)).toEqual({
    schedule: 'Must leave at least 15 minutes between runs',
    tags: 'Each value must be shorter',
  });
  expect(messagesOf(rejectionOf(new Error('offline'), values), values)).toEqual({});
});

test('a message ends with the first change of its value, and is back with the value', () => {
  const rejection = rejectionOf(problem, values);
  const changed = { ...values, schedule: { kind: 'cron', cron: '0 5 * * 1' } };
  expect(messagesOf(rejection, changed)).toEqual({ tags: 'Each value must be shorter' });
  expect(messagesOf(rejection, { ...changed, schedule: { ...values.schedule } })).toEqual(messagesOf(rejection, values));
});
