import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readUetAnswer } from '../../../src/connectors/microsoft-conversions/uet-answer.js';
import { aContext } from '../context.js';
import { altered, closedAddress, countStates, prepared, preparedMany } from '../conversions/sending.js';
import { startMicrosoftConversionsSandbox, type MicrosoftConversionsSandbox } from './microsoft-conversions-sandbox.js';

let sandbox: MicrosoftConversionsSandbox;
let msclkid: string;
beforeAll(async () => {
  sandbox = await startMicrosoftConversionsSandbox();
  msclkid = (await sandbox.aClick()).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.newRows();
});
afterAll(() => sandbox.stop());

const goal = 'Newsletter sign-up';
const clicked = () => ({ identifiers: { msclkid } });
const uet = { endpoint: 'uet' };

async function idsReceived(): Promise<unknown[]> {
  return (await sandbox.newRows()).filter(({ outcome }) => outcome !== 'rejected').map(({ row }) => row['eventId']);
}

describe('invalid events', () => {
  it('are all found although Microsoft lists only ten, and the others are delivered once each', async () => {
    const target = await sandbox.target({ goal });
    const events = preparedMany(target, 'many', 100, clicked());
    const bad = Array.from({ length: 23 }, (_, index) => index * 4 + 1);
    for (const index of bad) events[index] = altered(events[index]!, { eventTime: 1_500_000_000 });
    const context = aContext();
    const result = await target.send(context, events);
    expect(countStates(result)).toEqual({ accepted: 77, rejected: 23 });
    expect(result.stoppedBy).toBeNull();
    expect(result.outcomes[1]).toMatchObject({
      state: 'rejected',
      code: 'microsoft_conversions.invalid_event_time',
      message: 'Microsoft rejects the event: eventTime is not valid.',
      isRetryable: false,
    });
    const good = events.filter((_, index) => !bad.includes(index)).map(({ id }) => id);
    expect(await idsReceived()).toEqual(good);
    expect(context.requests.filter(({ url }) => url.endsWith('/events'))).toHaveLength(4);
  });

  it('are found behind ten warnings by halving', async () => {
    const target = await sandbox.target({ goal });
    const events = preparedMany(target, 'behind', 12, clicked()).map((event) => altered(event, { referrerUrl: 'no address' }));
    events[11] = altered(events[11]!, { eventTime: 1_500_000_000 });
    const result = await target.send(aContext(), events);
    expect(countStates(result)).toEqual({ accepted: 11, rejected: 1 });
    expect(result.outcomes[11]?.state).toBe('rejected');
    expect(await idsReceived()).toHaveLength(11);
  });
});

describe('warnings', () => {
  it('of an accepted event become its notes', async () => {
    const target = await sandbox.target({ goal });
    const events = preparedMany(target, 'warned', 3, clicked());
    events[1] = altered(events[1]!, { customData: { transactionId: 'warned-1', value: 49.9, currency: 'EURO' } });
    const { outcomes } = await target.send(aContext(), events);
    expect(outcomes).toEqual([
      { state: 'accepted', requestId: null, notes: [] },
      {
        state: 'accepted',
        requestId: null,
        notes: [
          {
            code: 'microsoft_conversions.invalid_currency',
            message: 'Microsoft ignores the field customData.currency of the event, because it is not valid.',
          },
        ],
      },
      { state: 'accepted', requestId: null, notes: [] },
    ]);
    expect((await sandbox.newRows()).map(({ removed }) => removed)).toEqual([[], ['data[1].customData.currency'], []]);
  });

  it('beyond the first ten are possible for every event that is not named', async () => {
    const target = await sandbox.target({ goal });
    const events = preparedMany(target, 'eleven', 11, clicked()).map((event) => altered(event, { referrerUrl: 'no address' }));
    const { outcomes } = await target.send(aContext(), events);
    const codes = outcomes.map((outcome) => (outcome.state === 'accepted' ? outcome.notes.map(({ code }) => code) : []));
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ['microsoft_conversions.invalid_url']));
    expect(codes[10]).toEqual(['microsoft_conversions.warnings_not_listed']);
  });
});

describe('an answer that is lost', () => {
  it.each([
    ['is a server error', {}],
    ['is not sent at all', { drop: true }],
  ])('%s after the events were processed: their outcome is unknown', async (name, parameters) => {
    const target = await sandbox.target({ goal });
    await sandbox.fail('fail_after_applying', { ...uet, ...parameters });
    const result = await target.send(aContext(), preparedMany(target, name, 3, clicked()));
    expect(countStates(result)).toEqual({ unknown: 3 });
    expect(result.stoppedBy).toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
    expect(await idsReceived()).toHaveLength(3);
    expect(target.traits.resend).toBe('may_count_twice');
  });

  it('says that fewer events arrived, but not which: they count as taken, with a code', async () => {
    const target = await sandbox.target({ goal });
    await sandbox.fail('fewer_events_received', { ...uet, missing: 1 });
    const result = await target.send(aContext(), preparedMany(target, 'fewer', 3, clicked()));
    expect(countStates(result)).toEqual({ accepted: 3 });
    expect(result.outcomes[0]).toMatchObject({
      code: 'conversions.partly_processed',
      message: 'Microsoft received 2 of the 3 events of the request, and does not say which.',
    });
  });

  it('says that no event arrived: their outcome is unknown', async () => {
    const target = await sandbox.target({ goal });
    await sandbox.fail('fewer_events_received', { ...uet, missing: 3 });
    const result = await target.send(aContext(), preparedMany(target, 'none', 3, clicked()));
    expect(countStates(result)).toEqual({ unknown: 3 });
    expect(result.outcomes[0]).toMatchObject({ code: 'microsoft_conversions.fewer_events_received' });
  });

  it('does not count as sent if no connection was established, or the key of the tag could not be read', async () => {
    const refused = await sandbox.target({ goal, uetUrl: await closedAddress() });
    expect(countStates(await refused.send(aContext(), [prepared(refused, 'refused', clicked())]))).toEqual({ not_sent: 1 });
    const keyless = await sandbox.target({ goal });
    await sandbox.fail('drop_connection', { event: 'tag_key' });
    expect(countStates(await keyless.send(aContext(), [prepared(keyless, 'keyless', clicked())]))).toEqual({ not_sent: 1 });
    expect(await sandbox.newRows()).toEqual([]);
  });
});

describe('the key of the tag', () => {
  it('that was renewed is read again, and the events are delivered once', async () => {
    const target = await sandbox.target({ goal });
    await target.send(aContext(), [prepared(target, 'first', clicked())]);
    await sandbox.fail('renew_key', { tagId: '80500012' });
    expect(countStates(await target.send(aContext(), [prepared(target, 'second', clicked())]))).toEqual({ accepted: 1 });
    expect(await idsReceived()).toEqual(['first', 'second']);
  });

  it('is read in the shape of the guide too', async () => {
    const target = await sandbox.target({ goal });
    await sandbox.fail('guide_key_format');
    expect(countStates(await target.send(aContext(), [prepared(target, 'guide', clicked())]))).toEqual({ accepted: 1 });
  });

  it('that another customer has not created yet names the action', async () => {
    const { settings } = (await sandbox.choicesOf('Northwind US')).find(({ name }) => name === goal)!;
    const target = sandbox.connector.open(
      { ...settings, tagId: '80500020' },
      sandbox.tokens,
      { onUnknownConsent: 'block', defaultCountry: null, hashesExternalId: true },
      null,
    );
    const result = await target.send(aContext(), [prepared(target, 'shared', clicked())]);
    expect(result).toMatchObject({ outcomes: [{ state: 'not_sent' }], stoppedBy: { name: 'FixSettings' } });
  });
});

it.each([
  ['throttle', 'not_sent', { name: 'RetryLater', failureClass: 'quota' }],
  ['unavailable', 'unknown', { name: 'RetryLater', failureClass: 'transient' }],
])('an answer without a body after %s', async (fault, state, error) => {
  const target = await sandbox.target({ goal });
  await sandbox.fail(fault, uet);
  const result = await target.send(aContext(), [prepared(target, 'no-body', clicked())]);
  expect(countStates(result)).toEqual({ [state]: 1 });
  expect(result.stoppedBy).toMatchObject(error);
});

describe('answers that the sandbox does not give', () => {
  const detail = (index: number, propertyName: string) => ({ index, propertyName, errorCode: 'Empty' });

  it('a list that is not valid is no fault of its first event', () => {
    expect(readUetAnswer(400, null, { error: { details: [detail(0, 'data')] } }, 3)).toMatchObject({
      state: 'stopped',
      outcome: { state: 'not_sent' },
      error: { name: 'FixSettings' },
    });
  });

  it.each([
    [401, 'FixSettings'],
    [404, 'FixSettings'],
    [418, 'FixSettings'],
  ])('%i keeps the events unsent', (status, name) => {
    expect(readUetAnswer(status, null, undefined, 2)).toMatchObject({
      state: 'stopped',
      outcome: { state: 'not_sent' },
      error: { name },
    });
  });

  it('a 200 that rejects an event accepts the others', () => {
    const body = { eventsReceived: 1, error: { details: [detail(1, 'data[1].eventTime')] } };
    const answer = readUetAnswer(200, null, body, 2);
    expect(answer.state === 'taken' && answer.outcomes.map(({ state }) => state)).toEqual(['accepted', 'rejected']);
  });

  it('a 200 without a number of events leaves their outcome unknown', () => {
    const answer = readUetAnswer(200, null, undefined, 1);
    expect(answer.state === 'taken' && answer.outcomes.map(({ state }) => state)).toEqual(['unknown']);
  });
});
