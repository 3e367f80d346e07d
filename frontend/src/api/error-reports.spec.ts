import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let sent: { eventName: string; properties: Record<string, string> }[] = [];
const load = () => import('./error-reports');
const organizationId = '0198f3a2-7c41-7d0e-8000-00000000000a';

beforeEach(() => {
  vi.resetModules();
  sent = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push((await request.json()) as (typeof sent)[number]);
    return Response.json({ success: true, message: 'Event tracked' });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('sends nothing while nobody is signed in', async () => {
  const { reportError } = await load();
  reportError(new Error('boom'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
});

test('sends an error once, with its organization and a bounded text', async () => {
  const { reportError, setErrorViewer } = await load();
  setErrorViewer({ organizationId });
  reportError(new TypeError('x is undefined'));
  reportError(new TypeError('x is undefined'));
  setErrorViewer({ organizationId: null });
  reportError('y'.repeat(5_000));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]).toEqual({
    eventName: 'Error Received',
    properties: { company_id: organizationId, type: 'browser', error_message: 'TypeError: x is undefined' },
  });
  expect(sent[1]?.properties).toEqual({ type: 'browser', error_message: 'y'.repeat(2_000) });
});

test('sends at most ten errors of a page load, and no lost connection or replaced script', async () => {
  const { reportError, setErrorViewer } = await load();
  const { NetworkProblem } = await import('./http/problem');
  setErrorViewer({ organizationId });
  reportError(new NetworkProblem('The server could not be reached.'));
  reportError(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'));
  for (let number = 0; number < 30; number += 1) reportError(new Error(`boom ${number}`));
  await vi.waitFor(() => expect(sent).toHaveLength(10));
  expect(sent[0]?.properties.error_message).toBe('Error: boom 0');
});

test('follows unhandled errors and rejections of the page until it is stopped', async () => {
  const { followUnhandledErrors, setErrorViewer } = await load();
  setErrorViewer({ organizationId });
  const page = new EventTarget();
  const stop = followUnhandledErrors(page as Window);
  const dispatch = (type: string, detail: object) => page.dispatchEvent(Object.assign(new Event(type), detail));
  dispatch('error', { error: new Error('thrown') });
  dispatch('unhandledrejection', { reason: new Error('rejected') });
  stop();
  dispatch('error', { error: new Error('after the end') });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ properties }) => properties.error_message)).toEqual(['Error: thrown', 'Error: rejected']);
});
