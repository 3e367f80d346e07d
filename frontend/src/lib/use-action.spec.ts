import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAction } from './use-action';
import type { ActionState } from './use-action';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => warn.mockImplementation(() => undefined));
afterEach(() => warn.mockReset());

const record = () => {
  const states: ActionState[] = [];
  return { states, setState: (state: ActionState) => void states.push(state) };
};
const busy = { isBusy: true, error: null };
const idle = { isBusy: false, error: null };

test('is busy until the action succeeds', async () => {
  const { states, setState } = record();
  let finish: () => void = () => undefined;
  const result = runAction(() => new Promise<void>((resolve) => (finish = resolve)), setState);
  expect(states).toEqual([busy]);
  finish();
  expect(await result).toBe(true);
  expect(states).toEqual([busy, idle]);
});

test('stays busy after an action that opens another page', async () => {
  const { states, setState } = record();
  expect(await runAction(() => Promise.resolve(), setState, { leavesPage: true })).toBe(true);
  expect(states).toEqual([busy]);
});

test('is not busy after an action fails to open another page', async () => {
  const { states, setState } = record();
  const error = new Error('rejected');
  expect(await runAction(() => Promise.reject(error), setState, { leavesPage: true })).toBe(false);
  expect(states).toEqual([busy, { isBusy: false, error }]);
});

test('keeps the error of a failed action and reports it', async () => {
  const { states, setState } = record();
  const onError = vi.fn();
  const error = new Error('rejected');
  expect(await runAction(() => Promise.reject(error), setState, { onError })).toBe(false);
  expect(states).toEqual([busy, { isBusy: false, error }]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(error);
});

test('catches an error that is thrown before the first await', async () => {
  const { states, setState } = record();
  const action = () => {
    throw new Error('thrown');
  };
  expect(await runAction(action, setState)).toBe(false);
  expect(states.at(-1)).toMatchObject({ isBusy: false, error: { message: 'thrown' } });
});

test('logs the code of a failed action, such as a deletion, without its message', async () => {
  const error = Object.assign(new Error('guest@example.com is the last owner'), { status: 409, code: 'member.last_owner' });
  await runAction(() => Promise.reject(error), record().setState);
  expect(warn.mock.calls).toEqual([['Action failed', { name: 'Error', status: 409, code: 'member.last_owner' }]]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('guest@example.com');
});
