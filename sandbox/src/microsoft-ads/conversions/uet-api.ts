import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../faults.ts';
import { sendJson, type Exchange } from '../../router.ts';
import { accounts } from '../accounts.ts';
import { numberOf, strike } from '../faults.ts';
import { isRecord } from '../report-request.ts';
import type { MicrosoftAdsState } from '../state.ts';
import { transactionKey } from './adjustments.ts';
import { findClick, findClickByPerson } from './attribution.ts';
import type { Click } from './clicks.ts';
import { emptyRow, type ReceivedRow, type ReceivedRows } from './received-rows.ts';
import { uetTags, type UetTag } from './uet-tags.ts';
import { checkUetEvent, type Problem } from './uet-validation.ts';

type Json = Record<string, unknown>;

const eventLimit = 1_000;
const shownProblems = 10;

/** The Conversions API of UET: POST /v1/<tag>/events, with the tag's own key. */
export class UetApi {
  readonly #state: MicrosoftAdsState;
  readonly #received: ReceivedRows;

  constructor(state: MicrosoftAdsState, received: ReceivedRows) {
    this.#state = state;
    this.#received = received;
  }

  async receive(exchange: Exchange): Promise<void> {
    const { request, response, params, body } = exchange;
    if (!(await this.#strikeEarly(exchange))) return;
    const tag = uetTags.get(params.tagId ?? '');
    const key = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!tag || key === undefined || this.#received.keys.get(tag.id) !== key) return sendJson(response, 401, unauthorized);
    const { events, isLenient, problem } = readBody(body);
    if (problem) return sendJson(response, 400, errorBody([problem]));
    const copies = events.map((event) => (isRecord(event) ? structuredClone(event) : {}));
    const problems = this.#check(exchange, copies);
    this.#answer(exchange, tag, { sent: events, cleaned: copies, problems, isLenient });
  }

  /** From the browser's tag, which shares its event ids with the server. */
  addBrowserEvent(tag: UetTag, event: Json): ReceivedRow {
    const row = this.#settle(tag, 'uetBrowser', event, event, []);
    this.#received.add({ row });
    return row;
  }

  #check(exchange: Exchange, events: Json[]): Problem[][] {
    const nowSeconds = Math.floor(this.#now() / 1_000);
    const fault = this.#strike(exchange, 'reject_events');
    const rejectedCount = fault ? numberOf(fault, 'count', 12) : 0;
    return events.map((event, index) =>
      checkUetEvent(index < rejectedCount ? { ...event, eventTime: 0 } : event, index, nowSeconds),
    );
  }

  #answer(exchange: Exchange, tag: UetTag, { sent, cleaned, problems, isLenient }: Checked): void {
    const isBad = problems.map((ofEvent) => ofEvent.some(({ isWarning }) => !isWarning));
    const badCount = isBad.filter(Boolean).length;
    const isRefused = badCount === sent.length || (badCount > 0 && !isLenient);
    const fewer = isRefused ? undefined : this.#strike(exchange, 'fewer_events_received');
    const lostCount = fewer ? numberOf(fewer, 'missing', 1) : 0;
    let valid = 0;
    const all = problems.flat();
    const repeatsCount = this.#strike(exchange, 'count_repeated_events') !== undefined;
    for (const [index, event] of sent.entries()) {
      const row = this.#settle(tag, 'uet', event, cleaned[index] ?? {}, problems[index] ?? [], repeatsCount);
      if (isRefused || isBad[index]) Object.assign(row, rejected);
      else if (valid++ < lostCount) Object.assign(row, { ...rejected, outcome: 'lost' });
      this.#received.add({ row });
    }
    const eventsReceived = Math.max(0, valid - lostCount);
    const lostAnswer = this.#strike(exchange, 'fail_after_applying');
    if (lostAnswer?.parameters.drop === true) return void exchange.response.destroy();
    if (lostAnswer) return sendJson(exchange.response, 500, internalError);
    if (isRefused) return sendJson(exchange.response, 400, errorBody(all));
    sendJson(exchange.response, 200, { eventsReceived, ...(all.length > 0 && errorBody(all)) });
  }

  /** The outcome of an event that is processed. */
  #settle(
    tag: UetTag,
    kind: 'uet' | 'uetBrowser',
    sent: unknown,
    event: Json,
    problems: Problem[],
    repeatsCount = false,
  ): ReceivedRow {
    const { eventId, eventName, adStorageConsent } = event;
    const custom = isRecord(event.customData) ? event.customData : {};
    const { transactionId, value, currency } = custom;
    const row: ReceivedRow = {
      ...emptyRow(kind, this.#now(), sent),
      tagId: tag.id,
      errors: problems.filter(({ isWarning }) => !isWarning).map(({ propertyName }) => propertyName),
      removed: problems.filter(({ isWarning }) => isWarning).map(({ propertyName }) => propertyName),
      key: isText(eventId) && isText(eventName) ? JSON.stringify(['event', tag.id, eventName, eventId]) : null,
      transactionKey: isText(transactionId) ? transactionKey(tag.id, transactionId) : null,
    };
    if (row.key !== null && !repeatsCount && this.#received.firstOf(row.key)) return { ...row, outcome: 'duplicate' };
    const click = kind === 'uetBrowser' ? undefined : this.#findClick(tag, event);
    // Without consent an event is used for nothing. A missing one counts as granted.
    const isUsed = adStorageConsent !== 'D' && (kind === 'uetBrowser' || click !== undefined);
    if (!isUsed) return { ...row, outcome: 'unattributed' };
    const revenue = {
      value: typeof value === 'number' ? value : null,
      currency: typeof currency === 'string' ? currency : null,
    };
    const isCounted = event.eventType !== 'pageLoad';
    const at = click ? { clickId: click.id, clickedAt: click.clickedAt } : {};
    return { ...row, outcome: 'attributed', isCounted, ...at, ...(isCounted && revenue) };
  }

  #findClick(tag: UetTag, { userData, eventTime }: Json): Click | undefined {
    if (!isRecord(userData) || !accounts.has(tag.accountId)) return undefined;
    const { msclkid, em, ph } = userData;
    const named = isText(msclkid) ? findClick(this.#received, msclkid, this.#now()) : undefined;
    if (named?.accountId === tag.accountId) return named;
    const person = { clickId: null, hashedEmailAddress: isText(em) ? em : null, hashedPhoneNumber: isText(ph) ? ph : null };
    return findClickByPerson(this.#received, tag.accountId, person, Number(eventTime) * 1_000);
  }

  /** False: the request is answered, or its connection is closed. */
  async #strikeEarly(exchange: Exchange): Promise<boolean> {
    const slow = this.#strike(exchange, 'slow');
    if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
    if (this.#strike(exchange, 'drop_connection')) {
      exchange.response.destroy();
      return false;
    }
    const faults = [
      ['unavailable', 503],
      ['server_error', 500],
      // No body is documented for too many requests.
      ['throttle', 429],
    ] as const;
    for (const [name, status] of faults) {
      if (!this.#strike(exchange, name)) continue;
      exchange.response.writeHead(status).end();
      return false;
    }
    return true;
  }

  #strike(exchange: Exchange, name: string): Fault | undefined {
    const resource = exchange.params.tagId;
    return strike(this.#state.faults, exchange, name, { endpoint: 'uet', event: 'events', resource });
  }

  #now(): number {
    return this.#state.clock.now().getTime();
  }
}

interface Checked {
  sent: unknown[];
  /** Without the properties that had warnings. */
  cleaned: Json[];
  problems: Problem[][];
  isLenient: boolean;
}

const unauthorized = { error: { code: 'Unauthorized', message: 'You are not authorized to access this resource.' } };
const internalError = { error: { code: 'InternalServerError', message: 'An internal error has occurred.' } };
const rejected = { outcome: 'rejected', isCounted: false, value: null, currency: null } as const;

/** Only the first problems are listed: with more of them, it cannot be known which events are bad. */
function errorBody(problems: Problem[]): Json {
  const hasErrors = problems.some(({ isWarning }) => !isWarning);
  const note = 'Note that only the first 10 errors and warnings are shown.';
  const message = `One or multiple parameters did not pass validation checks, see details. ${note}`;
  const code = hasErrors ? 'ValidationError' : 'ValidationWarning';
  return { error: { code, message, details: problems.slice(0, shownProblems) } };
}

function readBody(body: string): { events: unknown[]; isLenient: boolean; problem?: Problem } {
  const invalid = (errorCode: string, errorMessage: string) => ({
    events: [],
    isLenient: false,
    problem: { index: 0, propertyName: 'data', errorMessage, errorCode, isWarning: false },
  });
  let content: unknown;
  try {
    content = JSON.parse(body);
  } catch {
    return invalid('InvalidJson', 'The body must be JSON.');
  }
  const events: unknown = isRecord(content) ? content.data : undefined;
  if (!Array.isArray(events) || events.length === 0) return invalid('Empty', "'data' must not be empty.");
  if (events.length > eventLimit) return invalid('TooManyEvents', `'data' must not have more than ${eventLimit} events.`);
  return { events, isLenient: isRecord(content) && content.continueOnValidationError === true };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
