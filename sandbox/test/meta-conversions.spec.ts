import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { de, errorOf, johnsEmail, lead, proof, secondsAgo, shop, startMeta, stores, tokyo, type Answer } from './meta.ts';

const scopes = ['ads_read', 'ads_management'];
const day = 86_400;

let meta: Awaited<ReturnType<typeof startMeta>>;
let demo: string;
let limited: string;
/** Created in Events Manager for the dataset `shop`. */
let shopToken: string;
beforeAll(async () => {
  meta = await startMeta();
  [demo, limited] = await Promise.all([meta.signInWith(scopes), meta.signInWith(scopes, 'limited@example.com')]);
  shopToken = await meta.datasetToken(shop);
});
afterEach(async () => {
  await meta.admin('faults', undefined, 'DELETE');
  await meta.admin('clock', { offsetDays: 0 });
});
afterAll(() => meta.close());

interface Sending {
  dataset?: string;
  token?: string;
  version?: string;
  more?: object;
}

async function send(
  data: unknown,
  { dataset = shop, token = demo, version = 'v26.0', more = {} }: Sending = {},
): Promise<Answer> {
  const answer = await fetch(`${meta.url}/meta-ads/${version}/${dataset}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data, ...more }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'], headers: answer.headers };
}

interface Received {
  totals: Record<string, number>;
  events: { outcome: string; channel: string; id: string; isMatched: boolean; rejectedBy?: number; testEventCode?: string }[];
}

/** What the dataset received since the test began. */
async function receivedBy(dataset = shop): Promise<Received> {
  const { body } = await meta.admin(`meta-ads/received?datasetId=${dataset}&limit=100000`);
  const all = body as unknown as Received;
  const earlier = before.get(dataset) ?? { totals: {}, count: 0 };
  const totals = Object.entries(all.totals).map(([name, count]) => [name, count - (earlier.totals[name] ?? 0)]);
  return { totals: Object.fromEntries(totals) as Record<string, number>, events: all.events.slice(earlier.count) };
}

const before = new Map<string, { totals: Record<string, number>; count: number }>();
beforeEach(async () => {
  for (const dataset of [shop, stores]) {
    before.delete(dataset);
    const { totals, events } = await receivedBy(dataset);
    before.set(dataset, { totals, count: events.length });
  }
});

const outcomes = async (): Promise<string[]> => (await receivedBy()).events.map(({ outcome }) => outcome);
/** Ids are unique per test, because one sandbox serves them all. */
let ids = 0;
const newId = (): string => `event-${(ids += 1)}`;

describe('a call to a dataset', () => {
  it.each([
    ['nonsense', 'EAAnonsense', 401, '190'],
    ['a token of another dataset', 'tokyo', 400, '100/33'],
    ['a user without ads_management', 'reader', 403, '200'],
    ['a user who has none of its accounts', 'nobody', 400, '100/33'],
  ])('is rejected with %s', async (_, token, status, error) => {
    const tokens: Record<string, () => Promise<string>> = {
      tokyo: () => meta.datasetToken(tokyo),
      reader: () => meta.signInWith(['ads_read']),
      nobody: () => meta.signInWith(scopes, 'nobody@example.com'),
    };
    const answer = await send([lead()], { token: (await tokens[token]?.()) ?? token });
    expect([answer.status, errorOf(answer)]).toEqual([status, error]);
    expect((await receivedBy()).totals.received).toBe(0);
  });

  it('is rejected without a token, and for a dataset that does not exist', async () => {
    const answer = await fetch(`${meta.url}/meta-ads/v26.0/${shop}/events`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(400);
    expect(errorOf(await send([lead()], { dataset: '710000000000099' }))).toBe('100/33');
  });

  it('is rejected when the only accounts with the dataset are forbidden to the user', async () => {
    expect(errorOf(await send([lead()], { dataset: stores, token: limited }))).toBe('200');
    expect((await send([lead()], { token: limited })).status).toBe(200);
  });

  it('checks appsecret_proof if it is set', async () => {
    expect(errorOf(await send([lead()], { more: { appsecret_proof: proof(demo, 'another secret') } }))).toBe('100');
    expect((await send([lead()], { more: { appsecret_proof: proof(demo) } })).status).toBe(200);
  });

  it('takes the token from a header, the body or the address', async () => {
    const address = `${meta.url}/meta-ads/v26.0/${shop}/events`;
    const json = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      send([lead()], { token: shopToken }),
      fetch(address, { method: 'POST', headers: json, body: JSON.stringify({ data: [lead()], access_token: shopToken }) }),
      fetch(`${address}?access_token=${shopToken}`, { method: 'POST', headers: json, body: JSON.stringify({ data: [lead()] }) }),
      fetch(address, {
        method: 'POST',
        body: new URLSearchParams({ data: JSON.stringify([lead()]), access_token: shopToken }),
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('ends with its token', async () => {
    await meta.fault('expire_token', { user: 'demo@example.com' });
    expect(errorOf(await send([lead()]))).toBe('190/463');
  });
});

describe('the version of the Conversions API', () => {
  it.each([
    ['v20.0', 'v21.0'],
    ['v24.0', 'v24.0'],
    ['v26.0', 'v26.0'],
  ])('follows the Graph calendar: %s is served as %s', async (version, served) => {
    const days = Math.round((Date.parse('2026-11-22') - Date.now()) / (day * 1_000));
    await meta.admin('clock', { offsetDays: days });
    const answer = await send([lead({ event_time: secondsAgo(60) + days * day })], { version, token: shopToken });
    expect([answer.status, answer.headers.get('facebook-api-version')]).toEqual([200, served]);
  });

  it('outlives the version of the Marketing API', async () => {
    const answer = await meta.get(`act_${de}/adspixels`, demo, {}, 'GET', 'v24.0');
    expect(answer.headers.get('facebook-api-version')).toBe('v25.0');
  });

  it('must exist', async () => {
    expect(errorOf(await send([lead()], { version: 'v28.0' }))).toBe('2500');
  });
});

describe('a batch is rejected as a whole', () => {
  const rejected: [string, object, string][] = [
    ['an event older than seven days', { event_time: secondsAgo(7 * day + 60) }, '100/2804003'],
    [
      'an event in a store older than 62 days',
      { event_time: secondsAgo(62 * day + 60), action_source: 'physical_store' },
      '100/2804003',
    ],
    ['an old event with thin data', { event_time: secondsAgo(8 * day), user_data: { client_user_agent: 'a' } }, '100/2804003'],
    ['no user data', { user_data: {} }, '100/2804050'],
    ['only empty user data', { user_data: { em: [], ph: '' } }, '100/2804050'],
    ['only a place and a browser', { user_data: { ct: johnsEmail, country: johnsEmail, client_user_agent: 'a' } }, '100/2804050'],
    ['only a birthday and a browser', { user_data: { db: johnsEmail, client_user_agent: 'a' } }, '100/2804050'],
    ['only a first name and a gender', { user_data: { fn: johnsEmail, ge: johnsEmail } }, '100/2804050'],
    ['only a last name and a gender', { user_data: { ln: johnsEmail, ge: johnsEmail } }, '100/2804050'],
    ['a plain email address', { user_data: { em: 'john_smith@gmail.com' } }, '100/2804016'],
    ['an empty entry among the hashes', { user_data: { em: [johnsEmail], ge: [null] } }, '100/2804016'],
    ['a purchase without a value', { event_name: 'Purchase', custom_data: { currency: 'EUR' } }, '100/2804019'],
    ['a purchase without a currency', { event_name: 'Purchase', custom_data: { value: 1 } }, '100/2804019'],
    ['no name', { event_name: '' }, '100/2804019'],
    ['no time', { event_time: undefined }, '100/2804019'],
    ['a time that is a text', { event_time: '2026-11-22T00:00:00Z' }, '100'],
    ['no action source', { action_source: undefined }, '100/2804019'],
    ['an unknown action source', { action_source: 'shop' }, '100'],
  ];

  it.each(rejected)('with %s', async (_, overrides, error) => {
    const answer = await send([lead({ event_id: 'good' }), lead({ event_id: 'bad', ...overrides })]);
    expect([answer.status, errorOf(answer)]).toEqual([400, error]);
    expect((await receivedBy()).totals).toMatchObject({ received: 2, rejected: 2, stored: 0 });
  });

  it('in the language of the user, without the index of the event', async () => {
    const old = [lead(), lead({ event_time: secondsAgo(8 * day) })];
    const [french, portuguese, italian, spanish] = await Promise.all([
      send(old),
      send(old, { token: limited }),
      send(old, { token: shopToken }),
      send(old, { more: { locale: 'es_ES' } }),
    ]);
    expect(french.body.error).toEqual({
      message: 'Invalid parameter',
      type: 'OAuthException',
      code: 100,
      error_subcode: 2_804_003,
      is_transient: false,
      error_user_title: 'Évènement trop ancien',
      error_user_msg: 'Cet évènement est trop ancien. Envoyez-le dans un délai de 7 jours.',
      fbtrace_id: expect.any(String) as string,
    });
    expect(portuguese.body.error).toMatchObject({ error_user_title: 'Evento muito antigo' });
    expect(italian.body.error).toMatchObject({ error_user_title: 'Evento troppo vecchio' });
    expect(spanish.body.error).toMatchObject({ error_user_title: 'Evento demasiado antiguo' });
  });

  it('with more than 1,000 events, or none', async () => {
    const events = Array.from({ length: 1_001 }, () => lead());
    expect(errorOf(await send(events))).toBe('100');
    expect(errorOf(await send([]))).toBe('100');
    expect(errorOf(await send('Lead'))).toBe('100');
    expect((await send(events.slice(1))).body.events_received).toBe(1_000);
  });

  it.each(['an-agent-with-23-letters', '1', '7x'])('for the partner agent %s', async (agent) => {
    expect(errorOf(await send([lead()], { more: { partner_agent: agent } }))).toBe('100');
  });
});

describe('an event is accepted', () => {
  const accepted: [string, object, boolean][] = [
    ['from a website without a user agent', {}, true],
    ['in a store 61 days ago', { event_time: secondsAgo(61 * day), action_source: 'physical_store' }, true],
    ['almost seven days ago', { event_time: secondsAgo(7 * day - 60) }, true],
    ['in the future', { event_time: secondsAgo(-day) }, true],
    ['as a purchase with a lower-case currency', { event_name: 'Purchase', custom_data: { value: 9.5, currency: 'chf' } }, true],
    ['with an address and a browser', { user_data: { client_ip_address: '203.0.113.7', client_user_agent: 'a' } }, true],
    ['with a click id', { user_data: { fbc: 'fb.1.1788623130951.Click.AQ' } }, true],
    ['with an unknown hash of 32 digits, which never matches', { user_data: { em: ['0'.repeat(32)] } }, false],
    ['with a customer’s own id that is not hashed, which does not match', { user_data: { external_id: 'user-42' } }, false],
    ['with a name, which does not match alone', { user_data: { fn: johnsEmail, ln: johnsEmail } }, false],
  ];

  it.each(accepted)('%s', async (_, overrides, isMatched) => {
    const answer = await send([lead({ event_id: newId(), ...overrides })]);
    expect([answer.status, answer.body.events_received, answer.body.messages]).toEqual([200, 1, []]);
    expect((await receivedBy()).events).toEqual([expect.objectContaining({ outcome: 'counted', isMatched })]);
  });

  it('and counts, when it is sent as a test', async () => {
    await send([lead({ event_id: newId() })], { more: { test_event_code: 'TEST123', partner_agent: 'tributary' } });
    const { totals, events } = await receivedBy();
    expect(totals).toMatchObject({ counted: 1, attributed: 1 });
    expect(events[0]?.testEventCode).toBe('TEST123');
  });

  it('and still known after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const first = await startMeta({ dataDir });
    await first.admin('meta-ads/browser-events', { datasetId: shop, event_name: 'Lead', event_id: 'a' });
    await first.close();
    const second = await startMeta({ dataDir });
    expect((await second.admin('meta-ads/received')).body.totals).toMatchObject({ received: 1, counted: 1 });
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('of events with the same name and id', () => {
  const browserEvent = (id: string, name = 'Lead'): Promise<Answer> =>
    meta.admin('meta-ads/browser-events', { datasetId: shop, event_name: name, event_id: id });

  it('two from the server both count', async () => {
    const id = newId();
    await send([lead({ event_id: id }), lead({ event_id: id })]);
    await send([lead({ event_id: id })]);
    expect(await outcomes()).toEqual(['counted', 'counted', 'counted']);
  });

  it('two from the server count once, with a fault', async () => {
    const id = newId();
    await meta.fault('deduplicate_server_events');
    await send([lead({ event_id: id })]);
    await send([lead({ event_id: id })]);
    expect(await outcomes()).toEqual(['counted', 'duplicate']);
  });

  it.each(['browser', 'server'])('the first counts, from the %s', async (first) => {
    const id = newId();
    if (first === 'browser') await browserEvent(id);
    await send([lead({ event_id: id })]);
    if (first === 'server') await browserEvent(id);
    expect(await outcomes()).toEqual(['counted', 'duplicate']);
    expect((await receivedBy()).totals).toMatchObject({ stored: 2, deduplicated: 1, counted: 1 });
  });

  it('both count after 48 hours, or with another name or dataset', async () => {
    const id = newId();
    await browserEvent(id);
    await browserEvent(newId(), 'Purchase');
    await send([lead({ event_id: id })], { dataset: stores });
    expect((await receivedBy(stores)).totals).toMatchObject({ counted: 1 });
    await meta.admin('clock', { offsetDays: 2 });
    await send([lead({ event_id: id })]);
    expect(await outcomes()).toEqual(['counted', 'counted', 'counted']);
  });

  it('both count without an id', async () => {
    await meta.fault('deduplicate_server_events');
    await send([lead({ event_id: undefined }), lead({ event_id: undefined })]);
    expect(await outcomes()).toEqual(['counted', 'counted']);
  });
});

describe('with a fault', () => {
  it.each([{}, { drop: true }])('events are stored although the answer is lost %o', async (parameters) => {
    await meta.fault('fail_after_applying', { times: 1, ...parameters });
    const answer = await send([lead({ event_id: newId() })]).catch(() => null);
    if ('drop' in parameters) expect(answer).toBeNull();
    else expect([answer?.status, errorOf(answer!)]).toEqual([500, '2']);
    expect(await outcomes()).toEqual(['counted']);
  });

  it('the answer has messages', async () => {
    await meta.fault('event_messages', { text: 'Some events were not used' });
    expect((await send([lead()])).body.messages).toEqual(['Some events were not used']);
  });

  it('the gateway answers 502 in HTML', async () => {
    await meta.fault('bad_gateway', { event: 'events' });
    const answer = await fetch(`${meta.url}/meta-ads/v26.0/${shop}/events`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
    expect((await meta.get('me', demo)).status).toBe(200);
    expect((await receivedBy()).totals.received).toBe(0);
  });

  it('fewer events are received than were sent', async () => {
    await meta.fault('fewer_events_received', { missing: 2 });
    const answer = await send([lead({ event_id: newId() }), lead({ event_id: newId() }), lead({ event_id: newId() })]);
    expect(answer.body.events_received).toBe(1);
    expect(await outcomes()).toEqual(['counted', 'lost', 'lost']);
  });

  it('one event rejects every batch that contains it', async () => {
    await meta.fault('reject_event', { eventId: 'bad', subcode: 2_804_131 });
    expect(errorOf(await send([lead({ event_id: 'good' }), lead({ event_id: 'bad' })]))).toBe('100/2804131');
    expect((await send([lead({ event_id: newId() })])).status).toBe(200);
  });

  it('the token belongs to another dataset', async () => {
    await meta.fault('other_dataset', { resource: shop });
    expect(errorOf(await send([lead()]))).toBe('100/33');
    expect((await send([lead()], { dataset: stores })).status).toBe(200);
  });

  it.each([
    [80, 200],
    [100, 400],
  ])('the headers show a use of %d percent', async (percent, status) => {
    await meta.fault('load', { percent, event: 'events' });
    const answer = await send([lead({ event_id: newId() })]);
    const usage = JSON.parse(answer.headers.get('x-business-use-case-usage') ?? '{}') as Record<string, object[]>;
    expect(usage[de]?.[0]).toMatchObject({ type: 'ads_management', call_count: percent });
    expect(answer.headers.get('x-fb-ads-insights-throttle')).toBeNull();
    expect(answer.status).toBe(status);
    if (status === 400) expect(errorOf(answer)).toBe('80004/2446079');
  });

  it('a call is throttled with the code of ads management', async () => {
    await meta.fault('throttle', { event: 'events', waitMinutes: 7 });
    const answer = await send([lead()]);
    expect(errorOf(answer)).toBe('80004/2446079');
    expect(answer.headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":7');
  });
});
