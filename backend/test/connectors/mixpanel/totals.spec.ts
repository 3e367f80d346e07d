import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination } from '../../../src/connectors/kit/contract.js';
import {
  credentials,
  europeProject,
  freeProject,
  MixpanelSandbox,
  startMixpanel,
  Target,
  webProject,
} from './mixpanel-sandbox.js';
import { campaignDaily, sumRowsByDay } from '../rows.js';

let mixpanel: MixpanelSandbox;
let destination: Destination;
let target: Target;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
beforeEach(() => {
  target = new Target();
  destination = mixpanel.open();
});
afterEach(async () => {
  await mixpanel.sandbox.clearFaults();
  await mixpanel.liftLimits();
});
afterAll(() => mixpanel.sandbox.stop());

const exportsSince = async (before: number) => (await mixpanel.requests('export')).slice(before).length;
const rows = () => [target.row(), target.row({ campaign_id: 2n }), target.row({ date: '2026-01-03' })];
const authorization = `Basic ${Buffer.from(`${credentials.username}:${credentials.secret}`).toString('base64')}`;
const importByHand = (properties: object) =>
  fetch(`${mixpanel.settings.baseUrl}/us/import?strict=1&project_id=${webProject}`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify([{ event: 'Ad Data', properties: { distinct_id: '', ip: 0, ...properties } }]),
  });

describe('totals', () => {
  it('are what Mixpanel returns by day for this account and stream', async () => {
    const other = new Target();
    await other.load(destination, [other.row({ clicks: 900n })]);
    const adGroups = { ...campaignDaily, name: 'ad_group_daily', table: 'google_ads_ad_group_daily' };
    await target.load(destination, [target.row({ clicks: 800n })], target.slice({ stream: adGroups }));
    await target.load(destination, rows());
    expect(await target.totals(mixpanel.open())).toEqual(sumRowsByDay(rows()));
    expect(await target.totals(mixpanel.open(), target.slice({ from: '2026-01-03' }))).toEqual(sumRowsByDay(rows().slice(2)));
  });

  it('count a duplicate event once and ignore events of other clients', async () => {
    await mixpanel.fault('repeat_events');
    await target.load(destination, rows());
    const foreign = { account_id: target.account.externalId, date: '2026-01-01', clicks: 5, time: 1_767_268_800 };
    await importByHand({ ...foreign, $insert_id: 'somebody-elses' });
    await importByHand({ ...foreign, $insert_id: 'somebody-elses-2', loaded_by: 'Tributary' });
    expect(await target.totals(mixpanel.open())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account)).rawEvents).toBe(10);
  });

  it('do not change when Mixpanel compacts', async () => {
    await target.load(destination, rows());
    const restated = [target.row({ clicks: 3n })];
    await target.load(destination, restated);
    await mixpanel.fault('compact', { projectId: webProject });
    expect(await target.totals(mixpanel.open())).toEqual(sumRowsByDay(restated));
  });

  it('are the same in a project from before 2023 and in another time zone', async () => {
    const europe = { projectId: europeProject, residency: 'EU' } as const;
    expect(await target.load(mixpanel.open(europe), rows())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account, europeProject)).events).toBe(3);
  });
});

describe('exports', () => {
  it('share one export between concurrent slices, and reuse it until something is sent', async () => {
    const targets = [target, new Target(), new Target()];
    for (const one of targets) await one.write(destination, [one.row()]);
    const before = (await mixpanel.requests('export')).length;
    const totals = await Promise.all(targets.map((one) => one.totals(destination)));
    expect(totals.map((days) => days.length)).toEqual([1, 1, 1]);
    expect(await exportsSince(before)).toBe(1);
    await target.totals(destination, target.slice({ to: '2026-01-02' }));
    expect(await exportsSince(before)).toBe(1);
  });

  it('are exported again only for slices sent since', async () => {
    const other = new Target();
    await Promise.all([target.load(destination, rows()), other.load(destination, [other.row()])]);
    const restated = [target.row({ clicks: 77n })];
    await target.write(destination, restated);
    const before = (await mixpanel.requests('export')).length;
    expect(await target.totals(destination)).toEqual(sumRowsByDay(restated));
    expect(await other.load(destination, [other.row()])).toEqual(sumRowsByDay([other.row()]));
    expect(await exportsSince(before)).toBeLessThanOrEqual(2);
  });

  it('are limited to the requested streams if there are too many other events', async () => {
    const adGroups = target.slice({ stream: { ...campaignDaily, name: 'ad_group_daily', table: 'google_ads_ad_group_daily' } });
    const other = [target.row({ clicks: 800n }), target.row({ campaign_id: 2n, clicks: 900n })];
    await target.load(destination, other, adGroups);
    await target.load(destination, rows());
    const before = (await mixpanel.requests('export')).length;
    const narrow = mixpanel.open({}, { sharedEvents: 3 });
    expect(await target.totals(narrow)).toEqual(sumRowsByDay(rows()));
    expect(await target.totals(narrow, adGroups)).toEqual(sumRowsByDay(other));
    expect(await target.totals(narrow)).toEqual(sumRowsByDay(rows()));
    const asked = (await mixpanel.requests('export')).slice(before).map(({ query }) => query['where']);
    expect(asked).toEqual([expect.not.stringContaining('stream'), expect.stringContaining('"stream"] in ["ad_group_daily"]')]);
  });

  it('reschedule the run when the hourly limit is used up', async () => {
    await target.load(destination, rows());
    await mixpanel.admin('mixpanel/limits', { exportsPerHour: 0 });
    const restated = [target.row({ clicks: 78n })];
    await target.write(destination, restated);
    await expect(target.totals(destination)).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'mixpanel.query_quota',
      failureClass: 'quota',
      retryAfterSeconds: 600,
    });
    await mixpanel.liftLimits();
    expect(await target.load(mixpanel.open(), restated)).toEqual(sumRowsByDay(restated));
  });

  it('use few of the 60 exports an hour for a first load of many slices', async () => {
    await mixpanel.admin('mixpanel/limits', { exportsPerHour: 1_000_000 });
    const before = (await mixpanel.requests('export')).length;
    const targets = Array.from({ length: 6 }, () => new Target());
    const slice = { from: '2025-03-01', to: '2025-03-31' };
    await Promise.all(targets.map((one) => one.load(destination, [one.row({ date: '2025-03-05' })], one.slice(slice))));
    expect(await exportsSince(before)).toBeLessThanOrEqual(4 + targets.length);
  });

  it('reject an export that is truncated in a line', async () => {
    await target.write(destination, rows());
    await mixpanel.fault('truncate', { endpoint: 'export' });
    await expect(target.totals(destination)).rejects.toMatchObject({
      name: 'CorruptAnswer',
      code: 'mixpanel.export_incomplete',
    });
    await mixpanel.sandbox.clearFaults();
    await mixpanel.fault('truncate', { endpoint: 'export', abort: true });
    await expect(target.totals(destination)).rejects.toMatchObject({ name: 'RetryLater', code: 'http.unreachable' });
  });
});

describe('events that Mixpanel accepted but does not return', () => {
  it('are awaited when they are late', async () => {
    await mixpanel.fault('delay_events', { seconds: 0.03 });
    expect(await target.load(destination, rows())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account)).rawEvents).toBe(3);
  });

  it('are sent again with the same ids when they are very late, and count once', async () => {
    await mixpanel.fault('delay_events', { seconds: 3_600, times: 1 });
    expect(await target.load(destination, rows())).toEqual(sumRowsByDay(rows()));
    expect(await mixpanel.totals(target.account)).toMatchObject({ events: 3, rawEvents: 6 });
  });

  it('are sent again when some of them were lost', async () => {
    await mixpanel.fault('drop_events', { everyNth: 3 });
    expect(await target.load(destination, rows())).toEqual(sumRowsByDay(rows()));
  });

  it('are not verified while Mixpanel loses them, and the next run sends them again with the same ids', async () => {
    await target.load(destination, rows().slice(0, 2));
    await mixpanel.fault('drop_events', { everyNth: 1 });
    await expect(target.load(destination, rows())).rejects.toMatchObject({
      name: 'NotVerifiedYet',
      days: ['2026-01-03'],
      shown: sumRowsByDay(rows().slice(0, 2)),
    });
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account)).sums['clicks']).toBe('30');
  });

  it('are not verified although a later event of the same row is returned', async () => {
    const withConversions = (conversions: number) => [target.row({ conversions })];
    const conversions = async () => (await mixpanel.totals(target.account)).sums['conversions'];
    await target.load(destination, withConversions(5));
    await mixpanel.fault('drop_events', { where: 'properties["revision"] == 2' });
    const late = { name: 'NotVerifiedYet', days: ['2026-01-01'] };
    await expect(target.load(mixpanel.open(), withConversions(8))).rejects.toMatchObject(late);
    await expect(target.load(mixpanel.open(), withConversions(10))).rejects.toMatchObject(late);
    expect(await conversions()).toBe('7');
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(mixpanel.open(), withConversions(10))).toEqual(sumRowsByDay(withConversions(10)));
    expect(await conversions()).toBe('10');
    expect(target.ledger.unconfirmed).toEqual([]);
  });

  it('are sent again in their newest version when several versions with one id were lost', async () => {
    const open = () => mixpanel.open({ restatementMode: 'resend' });
    const withClicks = (first: bigint, second: bigint) => [
      target.row({ clicks: first }),
      target.row({ campaign_id: 2n, clicks: second }),
    ];
    await target.load(open(), withClicks(1n, 1n));
    await mixpanel.fault('drop_events', { everyNth: 1 });
    const lost = { name: 'NotVerifiedYet' };
    await expect(target.load(open(), withClicks(1n, 2n))).rejects.toMatchObject(lost);
    // Sends two versions of the second row in two imports, and the first row only in the later import.
    await expect(target.load(open(), withClicks(3n, 3n))).rejects.toMatchObject(lost);
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(open(), withClicks(3n, 3n))).toEqual(sumRowsByDay(withClicks(3n, 3n)));
  });

  it('are not sent again when only an export was truncated between two lines', async () => {
    await target.load(destination, rows());
    await mixpanel.fault('truncate', { endpoint: 'export', atLineEnd: true, times: 1 });
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    await mixpanel.fault('truncate', { endpoint: 'export', atLineEnd: true });
    await expect(target.load(mixpanel.open(), rows())).rejects.toMatchObject({ code: 'mixpanel.export_incomplete' });
    expect((await mixpanel.totals(target.account)).rawEvents).toBe(3);
  });
});

describe('events that appear after the wait', () => {
  const late = { name: 'NotVerifiedYet', code: 'mixpanel.not_shown_yet', days: ['2026-01-01', '2026-01-03'] };
  const clock = (offsetDays: number) => mixpanel.admin('clock', { offsetDays });
  afterEach(() => clock(0));

  it('leave their days unverified, stay planned, and are verified by the next run without being sent again', async () => {
    await mixpanel.fault('delay_events', { seconds: 60 });
    await expect(target.load(destination, rows())).rejects.toMatchObject(late);
    expect(target.ledger.unconfirmed).toHaveLength(3);
    await clock(1);
    const { rawEvents } = await mixpanel.totals(target.account);
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    expect(await mixpanel.totals(target.account)).toMatchObject({ events: 3, rawEvents });
    expect(target.ledger.unconfirmed).toEqual([]);
  });

  it('are never counted twice, whichever runs and restatements come first', async () => {
    await target.load(destination, [target.row({ clicks: 5n })]);
    await mixpanel.fault('delay_events', { seconds: 60 });
    await expect(target.load(destination, rows())).rejects.toMatchObject(late);
    await expect(target.load(mixpanel.open(), rows())).rejects.toMatchObject(late);
    const restated = [target.row({ clicks: 77n }), ...rows().slice(1)];
    await expect(target.load(mixpanel.open(), restated)).rejects.toMatchObject(late);
    await mixpanel.sandbox.clearFaults();
    await clock(1);
    const { rawEvents } = await mixpanel.totals(target.account);
    expect(await target.load(mixpanel.open(), restated)).toEqual(sumRowsByDay(restated));
    expect(await mixpanel.totals(target.account)).toMatchObject({ rawEvents, sums: { clicks: '97' } });
  });

  it('are not sent a second time with other ids when the worker crashed after sending them', async () => {
    await mixpanel.fault('delay_events', { seconds: 60 });
    await target.write(destination, rows());
    await mixpanel.sandbox.clearFaults();
    // Sent again with the same ids, they appear.
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    await clock(1);
    expect(await mixpanel.totals(target.account)).toMatchObject({ events: 3, sums: { clicks: '30' } });
  });

  it('are not replaced by others when the worker crashes during the wait', async () => {
    await mixpanel.fault('delay_events', { seconds: 60 });
    await target.write(destination, rows());
    await expect(target.totals(destination)).rejects.toMatchObject({ name: 'CorruptAnswer' });
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account)).sums['clicks']).toBe('30');
  });
});

it('lines of the export without distinct_id are read as events without a user', async () => {
  await mixpanel.fault('omit_distinct_id', { endpoint: 'export' });
  expect(await target.load(destination, rows())).toEqual(sumRowsByDay(rows()));
  expect((await mixpanel.totals(target.account)).rawEvents).toBe(3);
});

describe('a project on the Free plan', () => {
  const free = { projectId: freeProject, residency: 'US' } as const;

  it('is loaded and verified without the Query API, which is requested once', async () => {
    const before = (await mixpanel.requests('names')).length + (await mixpanel.requests('sum')).length;
    const open = mixpanel.open(free);
    await open.prepare(target.context, [campaignDaily]);
    expect(await target.load(open, rows())).toEqual(sumRowsByDay(rows()));
    target.ledger.stored.clear();
    const restated = [target.row({ clicks: 41n }), target.row({ campaign_id: 3n })];
    expect(await target.load(open, restated)).toEqual(sumRowsByDay(restated));
    expect((await mixpanel.requests('names')).length + (await mixpanel.requests('sum')).length - before).toBe(1);
  });

  it('verifies an export with a second one, and detects one truncated between two lines', async () => {
    await target.load(mixpanel.open(free), rows());
    target.ledger.stored.clear();
    // Two check whether there is anything, the third reads it, the fourth and fifth must be equal.
    await mixpanel.fault('truncate', { endpoint: 'export', atLineEnd: true, times: 1, afterRequests: 3 });
    await expect(target.write(mixpanel.open(free), rows())).rejects.toMatchObject({
      name: 'CorruptAnswer',
      code: 'mixpanel.export_incomplete',
    });
    expect(await target.load(mixpanel.open(free), rows())).toEqual(sumRowsByDay(rows()));
  });

  it('is not written in another region', async () => {
    await expect(mixpanel.open({ ...free, residency: 'EU' }).prepare(target.context, [campaignDaily])).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'mixpanel.invalid_project_id_for_cluster',
    });
  });
});

describe('events in Mixpanel that are missing in the ledger', () => {
  it('are adopted when the destination was deleted and recreated', async () => {
    await target.load(destination, rows());
    await target.load(destination, [...rows().slice(1), target.row({ clicks: 40n })]);
    target.ledger.stored.clear();
    const now = [target.row({ clicks: 41n }), target.row({ campaign_id: 3n })];
    expect(await target.load(mixpanel.open(), now)).toEqual(sumRowsByDay(now));
    expect((await mixpanel.totals(target.account)).sums).toMatchObject({ clicks: '51', cost: '2.46' });
    const again = [target.row({ clicks: 42n }), ...rows().slice(1)];
    expect(await target.load(mixpanel.open(), again)).toEqual(sumRowsByDay(again));
  });

  it('are found when the ledger has only a part of the slice', async () => {
    await target.load(destination, rows());
    target.ledger.stored.delete([...target.ledger.stored.keys()][0] ?? '');
    expect(await target.load(mixpanel.open(), rows())).toEqual(sumRowsByDay(rows()));
    expect((await mixpanel.totals(target.account)).sums['clicks']).toBe('30');
  });

  it('are ignored for another event name, and found again when it is restored', async () => {
    await target.load(destination, rows());
    expect(await target.load(mixpanel.open({ eventName: 'Spend' }), rows())).toEqual(sumRowsByDay(rows()));
    const restated = [target.row({ clicks: 20n })];
    expect(await target.load(mixpanel.open(), restated)).toEqual(sumRowsByDay(restated));
    expect((await mixpanel.totals(target.account)).sums['clicks']).toBe(String(20 + 30));
  });

  it('add up when the restatement mode is changed and changed back', async () => {
    for (const [index, restatementMode] of (['delta', 'resend', 'resend', 'delta', 'delta'] as const).entries()) {
      const restated = [target.row({ clicks: BigInt(20 + index) }), target.row({ campaign_id: BigInt(2 + (index % 2)) })];
      expect(await target.load(mixpanel.open({ restatementMode }), restated)).toEqual(sumRowsByDay(restated));
      expect((await mixpanel.totals(target.account)).sums['clicks']).toBe(String(30 + index));
    }
  });
});

describe('another region than the project’s', () => {
  const wrong = { projectId: europeProject, residency: 'US' } as const;

  it('is rejected before anything is sent there and lost', async () => {
    await expect(mixpanel.open(wrong).prepare(target.context, [campaignDaily])).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'mixpanel.invalid_project_id_for_cluster',
      action: expect.stringContaining('data residency'),
    });
  });

  it('is detected by the read-back, and loses nothing after it is corrected', async () => {
    await expect(target.load(mixpanel.open(wrong), rows())).rejects.toMatchObject({ name: 'FixSettings' });
    const right = mixpanel.open({ projectId: europeProject, residency: 'EU' });
    expect(await target.load(right, rows())).toEqual(sumRowsByDay(rows()));
  });

  it('lists only amounts as columns, because texts are not sent again', async () => {
    const located = await destination.locate(target.context, [campaignDaily]);
    expect(Object.keys(located.get(campaignDaily.name)?.columns ?? {})).toEqual([
      'impressions',
      'clicks',
      'cost_micros',
      'conversions',
      'conversions_value',
      'all_conversions',
      'view_through_conversions',
    ]);
  });

  it('does not prevent a run when the hourly queries are used up', async () => {
    await mixpanel.admin('mixpanel/limits', { queriesPerHour: 0 });
    await expect(destination.prepare(target.context, [campaignDaily])).resolves.toBeInstanceOf(Map);
  });
});
