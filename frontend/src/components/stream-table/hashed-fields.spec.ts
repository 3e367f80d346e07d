import { expect, test } from 'vitest';
import { toggleHashed, toHashedBody, writtenHashed } from './hashed-fields';

test('hashes a field and stores its text again', () => {
  const hashed = toggleHashed([], 'campaign_name');
  expect(hashed).toEqual(['campaign_name']);
  expect(toggleHashed(hashed, 'campaign_name')).toEqual([]);
});

test('does not hash an excluded field', () => {
  expect(writtenHashed(['campaign_name', 'status'], ['status'])).toEqual(['campaign_name']);
  expect(toHashedBody({ campaign_daily: ['status'] }, ['campaign_daily'], { campaign_daily: ['status'] })).toEqual([]);
});

test('omits streams that are not selected or have no hashed field', () => {
  const hashed = { campaign_daily: ['status', 'campaign_name'], ad_daily: [], keyword_daily: ['keyword'] };
  expect(toHashedBody(hashed, ['campaign_daily', 'ad_daily'])).toEqual([
    { stream: 'campaign_daily', columns: ['campaign_name', 'status'] },
  ]);
});
