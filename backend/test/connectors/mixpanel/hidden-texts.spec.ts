import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Stream } from '../../../src/connectors/kit/contract.js';
import { hashText } from '../../../src/connectors/kit/rows/hashed-columns.js';
import { MixpanelSandbox, startMixpanel, Target } from './mixpanel-sandbox.js';
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
afterAll(() => mixpanel.sandbox.stop());

const rawEvents = async () => (await mixpanel.totals(target.account)).raw;
const shown = async () => (await mixpanel.totals(target.account)).sums;

describe('a text that is hashed or excluded after its row was sent', () => {
  const HASH = hashText('Brand');
  const withoutName: Stream = { ...campaignDaily, columns: campaignDaily.columns.filter(({ name }) => name !== 'campaign_name') };
  const hashed = (overrides = {}) => target.row({ campaign_name: HASH, ...overrides });
  const ledgerText = () => [...target.ledger.stored.values()].join();
  const eventsSince = async (before: number) => (await rawEvents()).slice(before);

  it.each(['delta', 'resend'] as const)(
    'is sent as its hash when the row is removed, in the mode %s',
    async (restatementMode) => {
      destination = mixpanel.open({ restatementMode });
      await target.load(destination, [target.row()]);
      target.context.hashed = ['campaign_name'];
      await target.load(destination, []);
      const events = await eventsSince(1);
      expect(events).toMatchObject([{ properties: { campaign_name: HASH, utm_campaign: HASH, row_present: false } }]);
      expect(JSON.stringify(events)).not.toContain('Brand');
      expect(ledgerText()).not.toContain('Brand');
      expect(await target.totals(mixpanel.open({ restatementMode }))).toEqual([]);
    },
  );

  it('is not sent when the row is removed and the column is excluded', async () => {
    await target.load(destination, [target.row()]);
    expect(await target.load(destination, [], target.slice({ stream: withoutName }))).toEqual([]);
    const [event] = await eventsSince(1);
    expect(event?.properties).toMatchObject({ clicks: -10, campaign_id: '1' });
    expect(event?.properties).not.toHaveProperty('campaign_name');
    expect(event?.properties).not.toHaveProperty('utm_campaign');
    expect(ledgerText()).not.toContain('Brand');
  });

  it('leaves the ledger when the unchanged row is read again, without a new event', async () => {
    await target.load(destination, [target.row()]);
    target.context.hashed = ['campaign_name'];
    expect(await target.load(destination, [hashed()])).toEqual(sumRowsByDay([target.row()]));
    expect(await rawEvents()).toHaveLength(1);
    expect(ledgerText()).not.toContain('Brand');
    const plans = target.ledger.everPlanned.length;
    await target.load(destination, [hashed({ clicks: 12n })]);
    expect(target.ledger.everPlanned.slice(plans)).toMatchObject([{ revision: 2 }]);
    expect(await shown()).toMatchObject({ clicks: '12' });
  });

  it('is sent as its hash in the events of a worker that crashed before it sent them', async () => {
    target.ledger.death = { at: 'plan', when: 'after' };
    await expect(target.write(destination, [target.row()])).rejects.toThrow('the worker crashed');
    target.context.hashed = ['campaign_name'];
    expect(await target.load(mixpanel.open(), [hashed()])).toEqual(sumRowsByDay([target.row()]));
    expect(await rawEvents()).toMatchObject([{ properties: { campaign_name: HASH, utm_campaign: HASH, clicks: 10 } }]);
    expect(ledgerText()).not.toContain('Brand');
  });

  it('is not sent in the events of a worker that crashed before it sent them, if the column is excluded', async () => {
    target.ledger.death = { at: 'plan', when: 'after' };
    await expect(target.write(destination, [target.row()])).rejects.toThrow('the worker crashed');
    const { campaign_name: _name, ...row } = target.row();
    const slice = target.slice({ stream: withoutName });
    expect(await target.load(mixpanel.open(), [row], slice)).toEqual(sumRowsByDay([target.row()]));
    expect(JSON.stringify(await rawEvents())).not.toContain('Brand');
    expect(ledgerText()).not.toContain('Brand');
  });

  it('is sent as its hash when the events of today move to noon', async () => {
    const at = (time: string) => mixpanel.open({}, { now: () => new Date(time) });
    const slice = target.slice({ from: '2026-03-01', to: '2026-03-02' });
    const today = { date: '2026-03-02' };
    await target.load(at('2026-03-02T11:00:00Z'), [target.row(today)], slice);
    target.context.hashed = ['campaign_name'];
    expect(await target.load(at('2026-03-02T13:00:00Z'), [hashed(today)], slice)).toEqual(sumRowsByDay([target.row(today)]));
    const events = await eventsSince(1);
    expect(events).toMatchObject([{ properties: { clicks: -10, campaign_name: HASH } }, { properties: { clicks: 10 } }]);
    expect(JSON.stringify(events)).not.toContain('Brand');
  });
});
