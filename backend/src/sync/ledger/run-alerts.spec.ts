import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, type Organization } from '../../../test/factories.js';
import { Alerts, type NewAlert } from '../../alerts/index.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { RunAlerts } from './run-alerts.js';

const failure: Failure = {
  class: 'data',
  code: 'test.failed',
  message: 'It failed.',
  action: 'Look into it',
  providerRequestId: null,
};

let app: TestApp;
let organization: Organization;
let run: { organizationId: string; connectionId: string };

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'all' });
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  run = { organizationId: organization.id, connectionId: randomUUID() };
});

const within = (work: (query: TenantQuery) => Promise<void>): Promise<void> =>
  app.get(TenantDatabase).transaction(organization.id, work);
/** A run ends. */
const ends = {
  failed: () => within((query) => app.get(RunAlerts).failed(query, run, failure)),
  partial: () => within((query) => app.get(RunAlerts).partial(query, run, failure)),
  unverified: () => within((query) => app.get(RunAlerts).unverified(query, run, failure)),
  succeeded: () => within((query) => app.get(RunAlerts).succeeded(query, run)),
};
const open = (kind: NewAlert['kind']) =>
  within((query) => app.get(Alerts).open(query, organization.id, { kind, subjectId: run.connectionId, failure }));
const openKinds = async () =>
  (await alertsOf(organization)).items.filter(({ state }) => state === 'open').map(({ kind }) => kind);
async function mails(): Promise<string[]> {
  await untilEventsDelivered(app);
  return (await alertMailsOf(app, organization.id)).map(({ name, heading }) => `${name} ${heading}`);
}

describe('the recovery of a connection', () => {
  it('is notified after a run that ended unverified between the failure and the success', async () => {
    await ends.failed();
    await ends.unverified();
    expect(await openKinds()).toEqual(['connection.failing']);
    await ends.succeeded();
    expect(await openKinds()).toEqual([]);
    expect((await mails()).map((mail) => mail.split(' ')[0])).toEqual(['alert-opened', 'alert-recovered']);
  });

  it.each(['unverified', 'partial', 'succeeded'] as const)('from a coming pause is notified when a run ends %s', async (end) => {
    await open('connection.pause_pending');
    await mails();
    await ends[end]();
    expect(await openKinds()).not.toContain('connection.pause_pending');
    expect((await mails()).filter((mail) => mail.endsWith(' will not be paused'))).toHaveLength(1);
  });
});
