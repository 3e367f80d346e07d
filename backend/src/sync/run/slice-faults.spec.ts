import { expect, it } from 'vitest';
import { RetryLater } from '../../connectors/kit/errors.js';
import type { SliceRow } from '../ledger/sync.queries.js';
import { SliceFaults } from './slice-faults.js';

const slice = (stream: string, accountId: string, id: number) =>
  ({ id: `${stream}/${accountId}/${id}`, stream, accountId }) as SliceRow;
const down = new RetryLater({ code: 'google_ads.unavailable', message: 'Google Ads does not answer.', action: 'None' });

/** The slices fail one after the other; returns the part of the run that each failure affects. */
const failed = (faults: SliceFaults<RetryLater>, ...slices: SliceRow[]) => slices.map((row) => faults.failed(row, down));
const days = (stream: string, accountId: string, count: number) =>
  Array.from({ length: count }, (_, index) => slice(stream, accountId, index));

it('skips the rest of a stream after three failures, but not another stream of the account', () => {
  const faults = new SliceFaults<RetryLater>();
  expect(failed(faults, ...days('ads', '1', 3))).toEqual(['slice', 'slice', 'scope']);
  expect(faults.closedBy(slice('ads', '1', 9))).toBe(down);
  expect(faults.closedBy(slice('keywords', '1', 9))).toBeNull();
});

it('skips the rest of an account after three failures, but not another account of the stream', () => {
  const faults = new SliceFaults<RetryLater>();
  expect(failed(faults, ...days('ads', '1', 3))).toEqual(['slice', 'slice', 'scope']);
  expect(faults.closedBy(slice('ads', '1', 9))).toBe(down);
  expect(faults.closedBy(slice('ads', '2', 9))).toBeNull();
});

it('skips an account of which two streams fail', () => {
  const faults = new SliceFaults<RetryLater>();
  expect(failed(faults, ...days('ads', '1', 2), slice('keywords', '1', 0))).toEqual(['slice', 'slice', 'scope']);
  expect(faults.closedBy(slice('terms', '1', 9))).toBe(down);
  expect(faults.closedBy(slice('terms', '2', 9))).toBeNull();
});

it('skips a stream of which two accounts fail', () => {
  const faults = new SliceFaults<RetryLater>();
  expect(failed(faults, ...days('ads', '1', 2), slice('ads', '2', 0))).toEqual(['slice', 'slice', 'scope']);
  expect(faults.closedBy(slice('ads', '3', 9))).toBe(down);
  expect(faults.closedBy(slice('keywords', '3', 9))).toBeNull();
});

it('waits with the whole run after six failures without a loaded slice', () => {
  const rows = [1, 2, 3].flatMap((account) => days('ads', String(account), 2));
  expect(failed(new SliceFaults<RetryLater>(), ...rows).at(-1)).toBe('run');
  const faults = new SliceFaults<RetryLater>();
  failed(faults, ...rows.slice(0, 5));
  faults.arrived(slice('ads', '4', 0));
  expect(failed(faults, ...rows.slice(5))).not.toContain('run');
});

it('counts a repeated failure of one slice once', () => {
  const [row] = days('ads', '1', 1) as [SliceRow];
  expect(failed(new SliceFaults<RetryLater>(), row, row, row, row)).toEqual(['slice', 'slice', 'slice', 'slice']);
});
