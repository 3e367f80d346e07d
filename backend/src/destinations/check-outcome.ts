import type { CheckItem } from '../connectors/kit/contract.js';
import type { Failure } from '../core/http/failure.dto.js';
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

export const isPassed = (items: CheckItem[]): boolean => items.every((item) => item.state === 'passed');

export const lastCheck = (items: CheckItem[]): Prisma.InputJsonObject => ({
  at: new Date().toISOString(),
  items: items.map((item) => ({ ...item })),
});

export function assertPassed(items: CheckItem[]): void {
  const failed = items.find((item) => item.state === 'failed') ?? items.find((item) => item.state === 'skipped');
  if (!failed) return;
  throw new Problem('destination.check_failed', {
    detail: failed.detail ?? failed.label,
    action: failed.action ?? 'Correct the settings',
    checks: items,
  });
}

export const stateAfter = (failed: CheckItem): 'unreachable' | 'permission_denied' =>
  failed.code === 'connects' ? 'unreachable' : 'permission_denied';

export const failureOf = (provider: string, failed: CheckItem): Failure => ({
  class: 'destination',
  code: `${provider}.${failed.code}`,
  message: failed.detail ?? failed.label,
  action: failed.action ?? 'Correct the settings',
  providerRequestId: null,
});
