import { describe, expect, it } from '@jest/globals';
import { ACTIVE_STATES, RUN_TRANSITIONS, statesBefore } from './run-states.js';

describe('the states of a run', () => {
  it('let nothing out of an end', () => {
    for (const state of ['succeeded', 'partial', 'unverified', 'failed', 'cancelled', 'skipped'] as const)
      expect(RUN_TRANSITIONS[state]).toEqual([]);
  });

  it('let a run succeed only out of verifying', () => {
    expect(statesBefore('succeeded')).toEqual(['verifying']);
  });

  it('let every active run be taken over and be cancelled', () => {
    expect(ACTIVE_STATES).toEqual(['queued', 'running', 'waiting', 'verifying']);
    for (const state of ACTIVE_STATES) expect(RUN_TRANSITIONS[state]).toEqual(expect.arrayContaining(['running', 'cancelled']));
  });
});
