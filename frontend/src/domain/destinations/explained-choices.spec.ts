import { expect, test } from 'vitest';
import { explainChoices } from './explained-choices';

test('returns null when one choice is not explained', () => {
  expect(explainChoices('delta: the difference.', ['delta', 'resend'])).toBeNull();
  expect(explainChoices('Where the project lives.', ['US', 'EU'])).toBeNull();
  expect(explainChoices(null, ['US'])).toBeNull();
});

test('assigns the explanations in any order', () => {
  expect(explainChoices('resend: the row again, whole. delta: the exact difference.', ['delta', 'resend'])).toEqual({
    delta: 'The exact difference.',
    resend: 'The row again, whole.',
  });
});

test('ignores the name of a choice inside a sentence', () => {
  expect(explainChoices('delta: unlike resend: exact.', ['delta', 'resend'])).toBeNull();
});
