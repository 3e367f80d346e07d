import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstInput, isNeededLater } from './identity-start';

const pageIn = (readyState: DocumentReadyState) => Object.assign(new EventTarget(), { document: { readyState } });

function observe(promise: Promise<void>) {
  const state = { isDone: false };
  void promise.then(() => {
    state.isDone = true;
  });
  return state;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('loads the script at once for a visitor who can be signed in, and on every other page', () => {
  expect(isNeededLater('/login', true)).toBe(false);
  expect(isNeededLater('/', false)).toBe(false);
  expect(isNeededLater('/0198f3a2-7c41-7d0e-8000-000000000001/connection', false)).toBe(false);
  expect(['/login', '/signUp', '/forgotPassword'].map((path) => isNeededLater(path, false))).toEqual([true, true, true]);
});

it.each(['pointerdown', 'pointermove', 'keydown', 'focusin'])(
  'loads it at the first %s, also while the page loads',
  async (name) => {
    const page = pageIn('loading');
    const state = observe(firstInput(page));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.isDone).toBe(false);
    page.dispatchEvent(new Event(name));
    await vi.advanceTimersByTimeAsync(0);
    expect(state.isDone).toBe(true);
  },
);

it('loads it without an input two seconds after the page is complete', async () => {
  const page = pageIn('loading');
  const state = observe(firstInput(page));
  page.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.isDone).toBe(true);
});
