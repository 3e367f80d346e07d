import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendLater } from './send-later';

let page: EventTarget;
let sent: string[];
let cancel: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  sent = [];
  cancel = sendLater(() => sent.push('identify'), page);
});
afterEach(() => vi.useRealTimers());

it('sends once, after the page had time to load', () => {
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(5_000);
  page.dispatchEvent(new Event('pagehide'));
  expect(sent).toEqual(['identify']);
});

it('sends once, when the page is left earlier', () => {
  page.dispatchEvent(new Event('pagehide'));
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual(['identify']);
});

it('does not send when it is cancelled, such as by a sign-out', () => {
  cancel();
  page.dispatchEvent(new Event('pagehide'));
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
});
