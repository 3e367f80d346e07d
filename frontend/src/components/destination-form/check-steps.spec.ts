import { expect, test } from 'vitest';
import { requiredRolesOf, roleState } from './check-steps';

const [jobUser] = requiredRolesOf('bigquery');
const item = (code: string, state: 'passed' | 'failed' | 'skipped') => ({ code, state });

test('a role is missing when one step that needs it failed, whatever the others did', () => {
  expect(roleState(jobUser!, [item('loads', 'passed'), item('queries', 'failed')])).toBe('missing');
});

test('a step that was not tried leaves its role open', () => {
  expect(roleState(jobUser!, [])).toBe('unknown');
  expect(roleState(jobUser!, [item('loads', 'passed'), item('queries', 'skipped')])).toBe('unknown');
});

test('a role is given once every step that needs it passed', () => {
  expect(roleState(jobUser!, [item('signs_in', 'failed'), item('loads', 'passed'), item('queries', 'passed')])).toBe('given');
});

test('a database asks for no role of a platform', () => expect(requiredRolesOf('postgresql')).toEqual([]));
