import { plural } from '~/lib/numbers';
import { codeText, eventStateTable, formatAmount } from './event-state';
import type { EventState } from './event-state';

interface Step {
  at: string;
  state: EventState;
  code?: string;
  requestId?: string;
}

interface Request {
  id: string;
  providerRequestId: string | null;
  eventCount: number;
  sentAt: string;
  answeredAt: string | null;
  nextStatusAt: string | null;
}

interface Adjustment {
  id: string;
  receivedAt: string;
  state: EventState;
  value: string | null;
  currency: string | null;
  message: string | null;
}

export interface EventFacts {
  dedupeKey: string;
  state: EventState;
  message: string | null;
  receivedAt: string;
  nextAttemptAt: string | null;
  history: Step[];
  requests: Request[];
  adjustments: Adjustment[];
}

export interface LifeStep {
  at: string;
  /** `received`: the arrival, before the first state. */
  state: EventState | 'received';
  title: string;
  text: string;
  /** The provider's id of the request, shown as code after the text. */
  requestId: string | null;
  /** The step is still to come. */
  isFuture: boolean;
}

const texts: Record<EventState, string> = {
  ineligible: 'Is not sent',
  queued: 'May be sent, and waits for the next request',
  sent: 'The platform has not answered yet',
  accepted: 'The platform took the event',
  processed: 'The platform counted the event',
  unmatched: 'The platform found no ad click for it',
  rejected: 'The platform rejected the event',
  retrying: 'The request failed. Nothing was counted',
  dead: 'Every attempt failed. It is not sent again automatically',
  expired: 'Became too old before it could be sent',
  adjusted: 'The platform took a refund or correction of it',
};

const titleOf = ({ state, code }: Step): string => {
  if (state === 'queued') return code === 'replayed' ? 'Queued again' : 'Eligible';
  return eventStateTable[state].word;
};

const requestText = ({ eventCount }: Request): string => `In a request with ${plural(eventCount, 'event')}`;

/** What happened in a step that others followed. */
function pastText(step: Step, request: Request | undefined): string {
  if (step.code === 'replayed') return 'A user sent the rejected event again';
  if (step.state === 'sent' && request) return requestText(request);
  if (step.code) return codeText(step.code);
  return step.state === 'queued' ? 'May be sent' : texts[step.state];
}

function lastText(step: Step, request: Request | undefined, message: string | null): string {
  if (step.code === 'replayed') return pastText(step, request);
  if (step.state === 'sent' && request) return `${requestText(request)}. ${message ?? texts.sent}`;
  return message ?? (step.code ? codeText(step.code) : texts[step.state]);
}

function stepOf(step: Step, event: EventFacts, isLast: boolean): LifeStep {
  const request = event.requests.find(({ id }) => id === step.requestId);
  return {
    at: step.at,
    state: step.state,
    title: titleOf(step),
    text: isLast ? lastText(step, request, event.message) : pastText(step, request),
    requestId: request?.providerRequestId ?? null,
    isFuture: false,
  };
}

/** A platform without a separate answer stores the state once, so that the request itself is a step, too. */
function requestSteps({ history, requests }: EventFacts): LifeStep[] {
  return requests
    .filter(({ id }) => !history.some((step) => step.requestId === id && step.state === 'sent'))
    .map((request) => ({
      at: request.sentAt,
      state: 'sent',
      title: eventStateTable.sent.word,
      text: requestText(request),
      requestId: request.providerRequestId,
      isFuture: false,
    }));
}

const adjustmentStep = ({ receivedAt, state, value, currency, message }: Adjustment): LifeStep => ({
  at: receivedAt,
  state,
  title: `Adjustment: ${eventStateTable[state].word.toLowerCase()}`,
  text: `${value === null ? 'Full refund or correction' : `Correction to ${formatAmount(value, currency)}`}${message === null ? '' : `. ${message}`}`,
  requestId: null,
  isFuture: false,
});

function futureSteps({ nextAttemptAt, requests }: EventFacts): LifeStep[] {
  const next = requests.flatMap(({ nextStatusAt }) => nextStatusAt ?? []).toSorted()[0];
  const blank = { requestId: null, isFuture: true };
  return [
    ...(nextAttemptAt
      ? [{ ...blank, at: nextAttemptAt, state: 'queued' as const, title: 'Next attempt', text: 'The event is sent' }]
      : []),
    ...(next
      ? [{ ...blank, at: next, state: 'sent' as const, title: 'Next answer', text: 'The platform is asked for its decision' }]
      : []),
  ];
}

/** The life of an event from its arrival to the platform's answer, with its adjustments, oldest first. */
export function lifeOf(event: EventFacts): LifeStep[] {
  const { history, adjustments, receivedAt, dedupeKey } = event;
  const received: LifeStep = {
    ...{ at: receivedAt, state: 'received', title: 'Received', requestId: null, isFuture: false },
    text: `Read from the source as ${dedupeKey}`,
  };
  const later = [
    ...history.map((step, index) => stepOf(step, event, index === history.length - 1)),
    ...requestSteps(event),
    ...adjustments.map(adjustmentStep),
  ];
  const order = (step: LifeStep) => Date.parse(step.at);
  return [received, ...later.toSorted((one, other) => order(one) - order(other)), ...futureSteps(event)];
}
