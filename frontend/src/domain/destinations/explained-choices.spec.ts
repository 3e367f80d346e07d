import { expect, test } from 'vitest';
import { explainChoices } from './explained-choices';

test('a description that leaves one choice out explains none', () => {
  expect(explainChoices('delta: the difference.', ['delta', 'resend'])).toBeNull();
  expect(explainChoices('Where the project lives.', ['US', 'EU'])).toBeNull();
  expect(explainChoices(null, ['US'])).toBeNull();
});

test('each choice gets its own sentence, in whatever order they are explained', () => {
  expect(explainChoices('resend: the row again, whole. delta: the exact difference.', ['delta', 'resend'])).toEqual({
    delta: 'The exact difference.',
    resend: 'The row again, whole.',
  });
});

test('a word of a choice inside a sentence is no explanation of it', () => {
  expect(explainChoices('delta: unlike resend: exact.', ['delta', 'resend'])).toBeNull();
});
