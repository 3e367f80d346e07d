import { describe, expect, test } from 'vitest';
import { comparedText, differenceSentences, metricTexts, openSentence, proofSentence } from './proof';
import type { ProofFacts, ProofTotal } from './proof';

const ends = { from: 'Meta Ads', to: 'PostgreSQL' };

const total = (given: Partial<ProofTotal> = {}): ProofTotal => ({
  stream: 'campaign_daily',
  currency: 'EUR',
  rowsRead: 960,
  rowsFound: 960,
  rowsMissing: 0,
  rowsExtra: 0,
  costMicrosRead: '81000000000',
  costMicrosFound: '81000000000',
  costMicrosMissing: '0',
  clicksRead: 1200,
  clicksFound: 1200,
  impressionsRead: 48_000,
  impressionsFound: 48_000,
  conversionsRead: 12.5,
  conversionsFound: 12.5,
  isEqual: true,
  slices: 2,
  slicesCompared: 2,
  slicesLate: 0,
  ...given,
});

const proof = (given: Partial<ProofFacts> = {}): ProofFacts => ({
  state: 'succeeded',
  endedAt: '2026-11-27T06:44:01Z',
  comparedAt: '2026-11-27T06:44:00Z',
  comparisonMs: 2_400,
  rowsRead: 960,
  rowsFound: 960,
  slices: 2,
  slicesCompared: 2,
  isEqual: true,
  totals: [total()],
  ...given,
});

const missing = total({ rowsFound: 819, rowsMissing: 141, costMicrosMissing: '11937030000', isEqual: false });

test('missing rows without a currency have no cost', () =>
  expect(differenceSentences({ totals: [total({ currency: 'XXX', rowsMissing: 3, costMicrosMissing: '0' })] }, ends)).toEqual([
    '3 rows missing in PostgreSQL',
  ]));

describe('the proof of a run', () => {
  test('compares the rows that were read with those that were found', () => {
    expect(proofSentence(proof(), ends)).toBe('960 rows read from Meta Ads = 960 rows found in PostgreSQL');
    expect(proofSentence(proof({ rowsFound: 819 }), ends)).toBe('960 rows read from Meta Ads, 819 rows found in PostgreSQL');
  });
  test('claims no rows when nothing was compared', () => {
    const facts = proof({ comparedAt: null, comparisonMs: null, rowsRead: 0, rowsFound: 0, slicesCompared: 0 });
    expect(proofSentence(facts, ends)).toBe('Nothing was compared.');
    expect(openSentence(facts)).toBeNull();
    expect(comparedText(facts)).toBe('Not compared');
  });
  test('says when both ends were compared and how long that took', () => {
    expect(comparedText(proof())).toMatch(/^Compared Fri, Nov 27, 2026, .*\. The comparison took 2 s\.$/);
    expect(comparedText(proof({ comparisonMs: null }))).not.toContain('took');
  });
  test('says that rows do not show yet, or that chunks were not read', () => {
    expect(openSentence(proof())).toBeNull();
    expect(openSentence(proof({ totals: [total({ slicesLate: 1, isEqual: false })] }))).toBe(
      '1 of 2 chunks not verified yet: the rows do not show yet.',
    );
    expect(openSentence(proof({ state: 'partial', slicesCompared: 1 }))).toBe('1 of 2 chunks not read.');
    expect(openSentence(proof({ state: 'running', slicesCompared: 1 }))).toBe('1 of 2 chunks not compared yet.');
  });
});

describe('the differences of a run', () => {
  test('are none when all rows were found', () => expect(differenceSentences(proof(), ends)).toEqual([]));
  test('name the missing rows with their cost in the currency of the account', () =>
    expect(differenceSentences({ totals: [missing] }, ends)).toEqual(['141 rows (€11,937.03) missing in PostgreSQL']));
  test('have the decimals of the currency', () =>
    expect(differenceSentences({ totals: [{ ...missing, currency: 'JPY' }] }, ends)).toEqual([
      '141 rows (¥11,937) missing in PostgreSQL',
    ]));
  test('are not added over currencies or streams', () =>
    expect(
      differenceSentences(
        {
          totals: [
            missing,
            { ...missing, currency: 'USD', rowsMissing: 1, costMicrosMissing: '5000000' },
            total({ stream: 'ad_daily' }),
          ],
        },
        ends,
      ),
    ).toEqual([
      '141 rows (€11,937.03) of campaign_daily missing in PostgreSQL',
      '1 row ($5.00) of campaign_daily missing in PostgreSQL',
    ]));
  test('claim no cost for a stream without one', () =>
    expect(differenceSentences({ totals: [{ ...missing, costMicrosMissing: null }] }, ends)).toEqual([
      '141 rows missing in PostgreSQL',
    ]));
  test('name rows that the destination has too many', () =>
    expect(differenceSentences({ totals: [total({ rowsFound: 972, rowsExtra: 12, isEqual: false })] }, ends)).toEqual([
      '12 rows too many in PostgreSQL',
    ]));
});

describe('the other metrics', () => {
  test('show one number when both ends agree, and both when they do not', () =>
    expect(metricTexts(total({ clicksFound: 1100 }))).toEqual([
      { text: '1,100 of 1,200 clicks', differs: true },
      { text: '48,000 impressions', differs: false },
      { text: '12.5 conversions', differs: false },
    ]));
  test('are left out if one end does not know them', () =>
    expect(metricTexts(total({ clicksRead: null, clicksFound: null, conversionsFound: null })).map(({ text }) => text)).toEqual([
      '48,000 impressions',
    ]));
  test('agree if fractions were added in another order', () =>
    expect(metricTexts(total({ conversionsRead: 0.1 + 0.2, conversionsFound: 0.3 })).every(({ differs }) => !differs)).toBe(
      true,
    ));
});
