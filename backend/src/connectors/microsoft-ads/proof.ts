import { CorruptAnswer } from '../kit/errors.js';
import type { PageProblems } from '../kit/page-builder.js';
import { nothingToDo } from './errors.js';

/** The report contradicts itself: nothing of it is loaded. */
export function corrupt(code: string, what: string, cause?: unknown): CorruptAnswer {
  const message = `The report of Microsoft Advertising is not as it should be: ${what}. Nothing of the slice was loaded.`;
  return new CorruptAnswer({ code: `microsoft_ads.${code}`, message, action: nothingToDo }, { cause });
}

export function rowsDiffer(expected: number, found: number): CorruptAnswer {
  return corrupt('rows_differ', `expected ${expected} rows, as its header counts them, found ${found}`);
}

export function unexpectedValue(field: string, text: string): CorruptAnswer {
  return corrupt('unexpected_value', `${field} holds ${JSON.stringify(text.slice(0, 60))}`);
}

/** What the page builder finds wrong: a row that comes twice, and one of a day that was not asked for. */
export function problemsOf(from: string, to: string): PageProblems {
  return {
    rowRepeated: (key) => corrupt('row_repeated', `it has the same row twice (${key}): expected 1, found 2`),
    dayOutside: (day) => corrupt('day_outside_slice', `it has a row of ${day}: expected ${from} to ${to}`),
  };
}
