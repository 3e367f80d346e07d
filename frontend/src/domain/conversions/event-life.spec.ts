import { expect, test } from 'vitest';
import { lifeOf } from './event-life';
import type { EventFacts } from './event-life';
import { codeText, formatAmount } from './event-state';

const at = (minute: number): string => `2026-11-18T10:${String(minute).padStart(2, '0')}:00.000Z`;
const request = {
  id: 'r1',
  providerRequestId: 'Xq81',
  eventCount: 212,
  sentAt: at(5),
  answeredAt: at(6),
  nextStatusAt: null,
};
const event: EventFacts = {
  dedupeKey: '48213',
  state: 'queued',
  message: null,
  receivedAt: at(1),
  nextAttemptAt: null,
  history: [{ at: at(2), state: 'queued' }],
  requests: [],
  adjustments: [],
};
const titles = (part: Partial<EventFacts>) => lifeOf({ ...event, ...part }).map(({ title }) => title);

test('shows why an event is not sent', () => {
  const life = lifeOf({
    ...event,
    state: 'ineligible',
    message: 'Consent was denied.',
    history: [{ at: at(2), state: 'ineligible', code: 'consent_denied' }],
  });
  expect(life.map(({ title, text }) => `${title}: ${text}`)).toEqual([
    'Received: Read from the source as 48213',
    'Not eligible: Consent was denied.',
  ]);
});

test('shows the request and the answer of the platform', () => {
  const history = [
    { at: at(2), state: 'queued' as const },
    { at: at(5), state: 'sent' as const, requestId: 'r1' },
    { at: at(6), state: 'accepted' as const, requestId: 'r1' },
  ];
  const life = lifeOf({ ...event, state: 'accepted', history, requests: [request] });
  expect(life.map(({ title }) => title)).toEqual(['Received', 'Eligible', 'Sent', 'Accepted']);
  expect(life.map(({ text }) => text)).toEqual([
    'Read from the source as 48213',
    'May be sent',
    'In a request with 212 events',
    'The platform took the event',
  ]);
  expect(life[2]?.requestId).toBe('Xq81');
});

test('says that the platform has not answered only while it has not', () => {
  const history = [{ at: at(5), state: 'sent' as const, requestId: 'r1' }];
  const life = lifeOf({ ...event, state: 'sent', history, requests: [request] });
  expect(life.at(-1)?.text).toBe('In a request with 212 events. The platform has not answered yet');
});

test('shows a request that the history only names in its answer', () => {
  const history = [
    { at: at(2), state: 'queued' as const },
    { at: at(6), state: 'rejected' as const, requestId: 'r1' },
  ];
  expect(titles({ state: 'rejected', history, requests: [request] })).toEqual(['Received', 'Eligible', 'Sent', 'Rejected']);
});

test('names an event that a user sent again', () => {
  const history = [
    { at: at(2), state: 'rejected' as const },
    { at: at(3), state: 'queued' as const, code: 'replayed' },
  ];
  expect(titles({ history })).toEqual(['Received', 'Rejected', 'Queued again']);
});

test('puts adjustments in order and coming steps last', () => {
  const adjustment = { id: 'a', receivedAt: at(7), state: 'queued' as const, value: '99', currency: 'EUR', message: null };
  const part = {
    adjustments: [adjustment],
    nextAttemptAt: at(30),
    requests: [{ ...request, nextStatusAt: at(20) }],
    history: [{ at: at(9), state: 'accepted' as const, requestId: 'r1' }],
  };
  expect(titles(part)).toEqual(['Received', 'Sent', 'Adjustment: waiting', 'Accepted', 'Next attempt', 'Next answer']);
  expect(lifeOf({ ...event, ...part }).filter(({ isFuture }) => isFuture)).toHaveLength(2);
});

test('formats amounts of known and unknown currencies', () => {
  expect([
    formatAmount(null, 'EUR'),
    formatAmount('129', 'EUR'),
    formatAmount('5', 'not a code'),
    formatAmount('5', null),
  ]).toEqual(['—', '€129.00', '5 not a code', '5']);
  expect(codeText('consent_denied')).toBe('Consent denied');
});
