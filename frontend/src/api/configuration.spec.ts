import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConfigurationFile } from './types';
import { applyConfiguration, planConfiguration, UnknownImportOutcome } from './configuration';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A limit of the server, from its source. */
function serverLimit(path: string, name: string): number {
  const text = readFileSync(new URL(`../../../backend/src/${path}`, import.meta.url), 'utf8');
  return Number(new RegExp(`(?:const ${name} =|${name}:) ([\\d_]+)[;,]`).exec(text)?.[1]?.replaceAll('_', ''));
}

/** Every call ends like one whose response does not arrive within the limit of the client. */
function stubLateAnswers(): () => number | undefined {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('late', 'TimeoutError')));
  return () => timeout.mock.lastCall?.[0];
}

const file = {} as ConfigurationFile;

test('waits longer for an import than the server works on it, and then says that the outcome is not known', async () => {
  const limitOf = stubLateAnswers();
  const path = 'configuration/import-configuration.ts';
  await expect(applyConfiguration('org', file, 'digest')).rejects.toBeInstanceOf(UnknownImportOutcome);
  expect(limitOf()).toBeGreaterThan(serverLimit(path, 'APPLY_TIMEOUT_MS') + serverLimit(path, 'WAIT_MS'));
});

test.each([
  ['core/config/waits.ts', 'providerTimeoutMs'],
  ['connections/test-bench/test-bench.service.ts', 'TIMEOUT_MS'],
])('waits longer for other calls than the limit of %s', async (path, name) => {
  const limitOf = stubLateAnswers();
  await expect(planConfiguration('org', file)).rejects.toThrow('Tributary did not respond within 75 s.');
  expect(limitOf()).toBeGreaterThan(serverLimit(path, name));
});

test.each([
  ['a gateway ended the call', 504, '<html>', true],
  ['the server rejected it', 409, JSON.stringify({ code: 'configuration.changed', detail: 'Changed' }), false],
  ['the server failed', 500, JSON.stringify({ code: 'internal', detail: 'Failed' }), false],
])('the outcome of an import when %s', async (_what, status, body, isUnknown) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
  const error: unknown = await applyConfiguration('org', file, 'digest').catch((thrown: unknown) => thrown);
  expect(error instanceof UnknownImportOutcome).toBe(isUnknown);
});
