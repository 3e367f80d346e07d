import type { CheckItem } from '../connectors/kit/contract.js';
import type { CheckEntry, Failure } from '../core/http/failure.dto.js';
import { Problem } from '../core/http/problem.js';
import type { Prisma } from '../generated/prisma/client.js';

export const noTest = (name: string): CheckItem => ({
  code: 'test_event',
  label: 'Test event',
  state: 'skipped',
  detail: `${name} stores tables, not events.`,
  action: null,
  durationMs: 0,
});

/** By class of the error. Null: the check may succeed when it is repeated. All others are wrong settings. */
const states: Record<string, 'permission_denied' | null> = {
  auth: 'permission_denied',
  permission: 'permission_denied',
  quota: null,
  transient: null,
};

const stateAfter = ({ code, failureClass = '' }: CheckItem): 'unreachable' | 'permission_denied' | null =>
  code !== 'connects' && failureClass in states ? (states[failureClass] ?? null) : 'unreachable';

export const toEntry = ({ failureClass: _class, ...entry }: CheckItem): CheckEntry => entry;
export const toEntries = (items: CheckItem[]): CheckEntry[] => items.map(toEntry);

export const isPassed = (items: CheckItem[]): boolean => items.every((item) => item.state === 'passed');

export const lastCheck = (items: CheckItem[]): Prisma.InputJsonObject => ({
  at: new Date().toISOString(),
  items: toEntries(items).map((item) => ({ ...item })),
});

export function assertPassed(items: CheckItem[]): void {
  const failed = items.find((item) => item.state === 'failed') ?? items.find((item) => item.state === 'skipped');
  if (!failed) return;
  throw new Problem('destination.check_failed', {
    detail: failed.detail ?? failed.label,
    action: failed.action ?? 'Correct the settings',
    checks: toEntries(items),
  });
}

const failureOf = (provider: string, failed: CheckItem): Failure => ({
  class: 'destination',
  code: `${provider}.${failed.code}`,
  message: failed.detail ?? failed.label,
  action: failed.action ?? 'Correct the settings',
  providerRequestId: null,
});

interface Verdict {
  state: 'ready' | 'unreachable' | 'permission_denied';
  failure: Failure | null;
}

/** What a check means for a saved destination. Null: nothing is proven, so its state remains. */
export function verdictOf(provider: string, items: CheckItem[]): Verdict | null {
  const failed = items.find((item) => item.state === 'failed');
  if (isPassed(items)) return { state: 'ready', failure: null };
  if (!failed) return null;
  const state = stateAfter(failed);
  return state && { state, failure: failureOf(provider, failed) };
}
