import { expect, test } from 'vitest';
import { requiredRolesOf, roleState } from './check-steps';

const [jobUser] = requiredRolesOf('bigquery');
const item = (code: string, state: 'passed' | 'failed' | 'skipped') => ({ code, state });

test('shows a role as missing when one of its steps failed', () => {
  expect(roleState(jobUser!, [item('loads', 'passed'), item('queries', 'failed')])).toBe('missing');
});

test('shows a role as unknown when one of its steps was skipped', () => {
  expect(roleState(jobUser!, [])).toBe('unknown');
  expect(roleState(jobUser!, [item('loads', 'passed'), item('queries', 'skipped')])).toBe('unknown');
});

test('shows a role as granted when all of its steps passed', () => {
  expect(roleState(jobUser!, [item('signs_in', 'failed'), item('loads', 'passed'), item('queries', 'passed')])).toBe('given');
});

test('requires no roles for PostgreSQL', () => expect(requiredRolesOf('postgresql')).toEqual([]));
