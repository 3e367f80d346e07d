import { CorruptAnswer } from '../kit/errors.js';
import type { PageProblems } from '../kit/rows/page-builder.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';

/** The report is inconsistent. Nothing of it is loaded. */
export function corrupt(code: string, what: string, cause?: unknown): CorruptAnswer {
  const message = `The report of Microsoft Advertising is invalid: ${what}. Nothing of the chunk was loaded.`;
  return new CorruptAnswer({ code: `microsoft_ads.${code}`, message, action: NOTHING_TO_DO }, { cause });
}

export function rowsDiffer(expected: number, found: number): CorruptAnswer {
  return corrupt('rows_differ', `expected ${expected} rows as in its header, found ${found}`);
}

export function unexpectedValue(field: string, text: string): CorruptAnswer {
  return corrupt('unexpected_value', `${field} is ${JSON.stringify(text.slice(0, 60))}`);
}

/** Errors of the page builder: a duplicate row, and a row of a day that was not requested. */
export function problemsOf(from: string, to: string): PageProblems {
  return {
    rowRepeated: (key) => corrupt('row_repeated', `it has the same row twice (${key}): expected 1, found 2`),
    dayOutside: (day) => corrupt('day_outside_slice', `it has a row of ${day}: expected ${from} to ${to}`),
  };
}
