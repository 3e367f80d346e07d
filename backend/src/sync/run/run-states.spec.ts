import { describe, expect, it } from 'vitest';
import { ACTIVE_STATES, RUN_TRANSITIONS, statesBefore } from './run-states.js';

describe('the states of a run', () => {
  it('allow no change of an end state', () => {
    for (const state of ['succeeded', 'partial', 'unverified', 'failed', 'cancelled', 'skipped'] as const)
      expect(RUN_TRANSITIONS[state]).toEqual([]);
  });

  it('allow success only from verifying', () => {
    expect(statesBefore('succeeded')).toEqual(['verifying']);
  });

  it('allow every active run to be claimed and canceled', () => {
    expect(ACTIVE_STATES).toEqual(['queued', 'running', 'waiting', 'verifying']);
    for (const state of ACTIVE_STATES) expect(RUN_TRANSITIONS[state]).toEqual(expect.arrayContaining(['running', 'cancelled']));
  });
});
