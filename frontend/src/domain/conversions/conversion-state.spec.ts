import { describe, expect, test } from 'vitest';
import { healthOf, matchCoverageOf, whyNotRunConversion } from './conversion-state';
import type { Counts } from './conversion-state';
import { describeFunnel, funnelStages } from './funnel';

const none: Counts = {
  received: 0,
  eligible: 0,
  ineligible: 0,
  waiting: 0,
  sent: 0,
  accepted: 0,
  processed: 0,
  unmatched: 0,
  rejected: 0,
};
test('a paused conversion is shown as paused, unless its app needs a new sign-in', () => {
  expect(healthOf({ desired: 'paused', health: 'failing' })).toBe('paused');
  expect(healthOf({ desired: 'paused', health: 'needs_reauth' })).toBe('needs_reauth');
  expect(healthOf({ desired: 'active', health: 'failing' })).toBe('failing');
});

test('has no match coverage if the platform reports nothing', () => {
  const coverageOf = (counts: Partial<Counts>, reportsResults = true) =>
    matchCoverageOf({ target: { reportsResults }, lastWeek: { ...none, ...counts } });
  expect(coverageOf({ accepted: 10 })).toBeNull();
  // Click uploads name orders without a click, and nothing about the others.
  expect(coverageOf({ accepted: 105, unmatched: 1 }, false)).toBeNull();
  expect(coverageOf({ accepted: 10, processed: 8, unmatched: 1 })).toEqual({
    share: '80%',
    detail: '8 of 10 accepted',
  });
});

test('a paused conversion, or one without access, cannot run', () => {
  expect(whyNotRunConversion({ desired: 'paused', health: 'healthy' })).toBe('Paused. Resume it first');
  expect(whyNotRunConversion({ desired: 'active', health: 'needs_reauth' })).toBe('Reconnect the app first');
  expect(whyNotRunConversion({ desired: 'active', health: 'failing' })).toBeNull();
});

describe('the funnel', () => {
  const total = { ...none, received: 100, eligible: 90, ineligible: 10, waiting: 5, accepted: 80, rejected: 5 };

  test('of no events has no bars', () => {
    expect(funnelStages(none, true).map(({ share }) => share)).toEqual([0, 0, 0, 0]);
    expect(describeFunnel(none, true)).toBe('No events in the last 30 days.');
  });

  test('says that the platform has not reported processed events', () => {
    expect(funnelStages(total, true)[3]).toMatchObject({ events: null, note: 'Not reported yet' });
    expect(describeFunnel(total, true)).toBe('100 events received, 90 eligible (90%), 80 accepted.');
  });

  test('says that a platform never reports them', () => {
    expect(funnelStages({ ...total, unmatched: 3 }, false)[3]).toMatchObject({ events: null, share: 0, note: 'Not reported' });
    expect(describeFunnel({ ...total, unmatched: 3 }, false)).toBe('100 events received, 90 eligible (90%), 80 accepted.');
  });

  test('names events that still wait for the decision of the platform', () => {
    const noteOf = (counts: Partial<Counts>) => funnelStages({ ...total, accepted: 500, ...counts }, true)[3]?.note;
    expect(noteOf({ processed: 1 })).toBe('499 without a result');
    expect(noteOf({ processed: 400, unmatched: 60 })).toBe('60 without a match, 40 without a result');
    expect(noteOf({ processed: 500 })).toBe('All counted');
  });

  test('names what was lost between two stages', () => {
    const stages = funnelStages({ ...total, processed: 70, unmatched: 10 }, true);
    expect(stages.map(({ note }) => note)).toEqual([
      'Read in the last 30 days',
      '10 not eligible, 5 waiting',
      '5 rejected',
      '10 without a match',
    ]);
    expect(describeFunnel({ ...total, processed: 70, unmatched: 10 }, true)).toBe(
      '100 events received, 90 eligible (90%), 80 accepted, 70 processed.',
    );
  });
});
