import { expect, test } from 'vitest';
import { withAction } from './with-action';

test('the message of an error is followed by what to do, each as one sentence', () => {
  expect(withAction('The sign-in has ended', { action: 'Reconnect with Meta', planAction: null })).toBe(
    'The sign-in has ended. Reconnect with Meta.',
  );
  expect(withAction('Two apps have this name.', { action: 'Choose another name.', planAction: null })).toBe(
    'Two apps have this name. Choose another name.',
  );
});

test('an action that is shown as a button, or is unknown, is not repeated', () => {
  expect(withAction('The trial has ended', { action: 'Choose a plan', planAction: 'Choose a plan' })).toBe(
    'The trial has ended.',
  );
  expect(withAction('The server could not be reached', { action: null, planAction: null })).toBe(
    'The server could not be reached.',
  );
});
