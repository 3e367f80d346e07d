import { expect, it } from 'vitest';
import { changedShare, formatChange, formatMetric, levelOf } from './changed-share';

const sums = (clicks: number, conversions: number | null = null) => ({
  rows: 1,
  costMicros: '1500000',
  clicks,
  impressions: 100,
  conversions,
});

it('shows an unknown change as a dash, and a change from nothing as all of it', () => {
  expect(changedShare({ firstLoad: sums(1), current: sums(1, 2) }, 'conversions')).toBeNull();
  expect(formatChange(null)).toBe('—');
  expect(changedShare({ firstLoad: sums(0), current: sums(5) }, 'clicks')).toBe(1);
  expect(changedShare({ firstLoad: sums(0), current: sums(0) }, 'clicks')).toBe(0);
});

it('shows the direction of a change', () => {
  expect(formatChange(changedShare({ firstLoad: sums(200), current: sums(204) }, 'clicks'))).toBe('+2%');
  expect(formatChange(changedShare({ firstLoad: sums(200), current: sums(190) }, 'clicks'))).toBe('−5%');
  expect(formatChange(changedShare({ firstLoad: sums(1), current: sums(1) }, 'cost'))).toBe('0%');
});

it('colors a larger change more strongly, in both directions', () => {
  expect([0, 0.005, -0.02, 0.05, -0.4, null].map(levelOf)).toEqual([0, 1, 2, 3, 4, 0]);
});

it('formats money with its currency and conversions with their fractions', () => {
  expect(formatMetric(sums(1), 'cost', 'EUR')).toBe('€1.50');
  expect(formatMetric(sums(1, 2.345), 'conversions', 'EUR')).toBe('2.35');
  expect(formatMetric(sums(1), 'conversions', null)).toBe('—');
});
