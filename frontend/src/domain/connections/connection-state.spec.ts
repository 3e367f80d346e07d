import { describe, expect, test } from 'vitest';
import { connectionCan, HEALTHS, healthTable, runCan, runTable, whyNotRun } from './connection-state';
import type { ConnectionFacts, RunState } from './connection-state';

const facts = (given: Partial<ConnectionFacts>): ConnectionFacts => ({
  desired: 'active',
  health: 'healthy',
  activeRun: null,
  ...given,
});

describe('actions of a connection', () => {
  test.each<[string, Partial<ConnectionFacts>, { pause: boolean; resume: boolean; run: boolean; cancelRun: boolean }]>([
    ['paused', { desired: 'paused', health: 'paused' }, { pause: false, resume: true, run: false, cancelRun: false }],
    ['reconnect needed', { health: 'needs_reauth' }, { pause: true, resume: false, run: false, cancelRun: false }],
    ['running', { activeRun: { state: 'running' } }, { pause: true, resume: false, run: false, cancelRun: true }],
    [
      'running on its schedule',
      { activeRun: { state: 'running', kind: 'scheduled' } },
      { pause: true, resume: false, run: true, cancelRun: true },
    ],
    [
      'running because a person started it',
      { activeRun: { state: 'running', kind: 'manual' } },
      { pause: true, resume: false, run: false, cancelRun: true },
    ],
    ['waiting for quota', { activeRun: { state: 'waiting' } }, { pause: true, resume: false, run: false, cancelRun: true }],
    ['run just ended', { activeRun: { state: 'succeeded' } }, { pause: true, resume: false, run: true, cancelRun: false }],
    ['failing', { health: 'failing' }, { pause: true, resume: false, run: true, cancelRun: false }],
    ['healthy', {}, { pause: true, resume: false, run: true, cancelRun: false }],
  ])('%s', (_name, given, expected) => {
    const connection = facts(given);
    expect({
      pause: connectionCan.pause(connection),
      resume: connectionCan.resume(connection),
      run: connectionCan.run(connection),
      cancelRun: connectionCan.cancelRun(connection),
    }).toEqual(expected);
  });

  test('returns a reason only when Run now is disabled', () => {
    expect(whyNotRun(facts({ desired: 'paused' }))).toBe('Paused. Resume it first');
    expect(whyNotRun(facts({ health: 'needs_reauth' }))).toBe('Reconnect the app first');
    expect(whyNotRun(facts({ activeRun: { state: 'queued' } }))).toBe('A run is in progress');
    expect(whyNotRun(facts({}))).toBeNull();
  });
});

test('allows canceling active runs only', () => {
  const cancelable = (Object.keys(runTable) as RunState[]).filter((state) => runCan.cancel({ state }));
  expect(cancelable).toEqual(['queued', 'running', 'waiting', 'verifying']);
});

test('labels every health, most severe first', () => {
  expect(HEALTHS.map((health) => healthTable[health].word)).toEqual([
    'Reconnect needed',
    'Failing',
    'Stale',
    'Partial',
    'Unverified',
    'Rate limited',
    'Backfilling',
    'Healthy',
    'Not run yet',
    'Paused',
  ]);
});
