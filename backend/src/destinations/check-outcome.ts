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

/** Null: the check may succeed when it is repeated. */
const stateAfter = ({ code, failureClass }: CheckItem): 'unreachable' | 'permission_denied' | null => {
  if (code === 'connects') return 'unreachable';
  return failureClass === 'transient' || failureClass === 'quota' ? null : 'permission_denied';
};

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

/** What a check means for a saved destination. Null: nothing, so its state remains. */
export function verdictOf(provider: string, items: CheckItem[]): Verdict | null {
  const failed = items.find((item) => item.state === 'failed');
  if (!failed) return { state: 'ready', failure: null };
  const state = stateAfter(failed);
  return state && { state, failure: failureOf(provider, failed) };
}
