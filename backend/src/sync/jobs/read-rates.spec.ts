import { describe, expect, it } from 'vitest';
import { readRates } from './read-rates.js';

describe('readRates', () => {
  it.each(['', '<html>moved</html>', 'Day,USD\n2026-11-19,1.08'])('rejects text that is not a table of rates: %j', (text) => {
    expect(() => readRates(text)).toThrow('not a table of days and currencies');
  });

  it('skips cells without a rate, lines without a day, and the empty cell at the end of each line', () => {
    const text = 'Date,USD,JPY,RUB,\n2026-11-19,1.0825,163.1,N/A,\n2026-11-18,1.08,0,N/A,\nnot a day,1,1,1,\n';
    expect(readRates(text)).toEqual([
      { day: '2026-11-19', currency: 'USD', perEuro: 1.0825 },
      { day: '2026-11-19', currency: 'JPY', perEuro: 163.1 },
      { day: '2026-11-18', currency: 'USD', perEuro: 1.08 },
    ]);
  });
});
