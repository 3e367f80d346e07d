import { expect, test } from 'vitest';
import { orderSample } from './sample-order';

const type = (name: string) => ({
  name,
  description: '',
  need: null,
  canHash: false,
  type: (name === 'account_id' ? 'text' : 'bigint') as 'text' | 'bigint',
});

test('sorts day, account, names and metrics first and keeps the order of the rest', () => {
  const columns = ['account_id', 'date', 'campaign_id', 'campaign_name', 'cost_micros', 'impressions', 'account_name'];
  expect(orderSample(columns).map(({ name }) => name)).toEqual([
    'date',
    'account_name',
    'campaign_name',
    'impressions',
    'cost_micros',
    'account_id',
    'campaign_id',
  ]);
});

test('keeps the index in the sample and does not treat numeric IDs as numbers', () => {
  expect(orderSample(['account_id', 'clicks'], ['account_id', 'clicks'].map(type))).toEqual([
    { name: 'clicks', index: 1, isNumber: true },
    { name: 'account_id', index: 0, isNumber: false },
  ]);
});
