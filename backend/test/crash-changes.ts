import { SyncSubscription } from '../src/billing/sync-subscription.js';
import type { TestApp } from './app.js';
import type { Warehouse } from './connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  aDestination,
  anOrganization,
  aSource,
  consent,
  daysAgo,
  type Organization,
} from './factories.js';
import { tokenFor } from './http.js';
import { deliver, signed, type StripeSandbox, subscribe } from './stripe.js';

/** Sends the change to a server. */
type Change = (url: string) => Promise<Response>;

/** The parts of a change that commit together, and whether each is there. */
type Parts = Record<string, boolean>;

export interface Prepared {
  organization: Organization;
  change: Change;
  /** Read after the effects have ended. All of them hold, or none. */
  parts: () => Promise<Parts>;
}

export interface Scene {
  app: TestApp;
  warehouse: Warehouse;
  stripe: StripeSandbox;
}

const STREAMS = ['campaign_daily'];

/** Each change has its own organization. */
export const CHANGES: Record<string, (scene: Scene) => Promise<Prepared>> = {
  'create a connection': async ({ app, warehouse }) => {
    const organization = await anOpenOrganization(app);
    const sourceId = await aSource(organization);
    const destinationId = await aDestination(organization, warehouse);
    const schedule = { kind: 'manual', timeZone: 'UTC' };
    const body = { name: 'Search', sourceId, destinationId, streams: STREAMS, schedule, historyFrom: daysAgo(1) };
    return {
      organization,
      change: request(organization, 'POST', `${organization.path}/connections`, body),
      parts: async () => ({
        change: await has(app, organization, 'connections', 'true'),
        entry: await hasEntry(app, organization, 'connection.created'),
        message: await hasMessage(app, organization, 'Connection Created'),
        run: await has(app, organization, 'runs', `trigger = 'first_run'`),
        job: await hasRunJob(app, organization, 'first_run'),
      }),
    };
  },

  'delete a connection': async ({ app, warehouse }) => {
    const organization = await anOpenOrganization(app);
    const connection = await aConnection(organization, warehouse, { historyDays: 1, streams: STREAMS });
    return {
      organization,
      change: request(organization, 'DELETE', connection.path),
      parts: async () => {
        const isDeleted = await has(app, organization, 'connections', 'deleted_at is not null');
        return {
          change: isDeleted,
          entry: await hasEntry(app, organization, 'connection.deleted'),
          message: await hasMessage(app, organization, 'Connection Deleted'),
          // The run may have ended before the change.
          run: isDeleted
            ? !(await has(app, organization, 'runs', 'ended_at is null'))
            : await has(app, organization, 'runs', `state = 'cancelled'`),
        };
      },
    };
  },

  'reconnect an app': async ({ app, warehouse }) => {
    const organization = await anOpenOrganization(app);
    const appId = await aConnectedApp(organization);
    await aStoppedConnection(app, organization, warehouse, await aSource(organization, { appId }));
    await app.database.query(`update apps set state = 'needs_reauth', needs_reauth_since = now() where id = $1`, [appId]);
    const landing = await consent(organization, appId);
    return {
      organization,
      change: request(organization, 'POST', `${organization.path}/apps/oauth/complete`, landing),
      parts: async () => ({
        change: await has(app, organization, 'apps', `id = '${appId}' and state = 'connected'`),
        entry: await hasEntry(app, organization, 'app.reconnected'),
        history: await has(app, organization, 'app_events', `event = 'reconnected'`),
        message: await hasMessage(app, organization, 'Source Reauthenticated'),
        run: await has(app, organization, 'runs', `trigger = 'reconnect'`),
        job: await hasRunJob(app, organization, 'reconnect'),
      }),
    };
  },

  'move a destination': async ({ app, warehouse }) => {
    const organization = await anOpenOrganization(app);
    const { destinationId } = await aStoppedConnection(app, organization, warehouse, await aSource(organization));
    const { password: _, ...settings } = warehouse.settings;
    const body = { version: 1, settings: { ...settings, tablePrefix: 'moved_' } };
    return {
      organization,
      change: request(organization, 'PATCH', `${organization.path}/destinations/${destinationId}`, body),
      parts: async () => ({
        change: await has(app, organization, 'destinations', `settings->>'tablePrefix' = 'moved_'`),
        entry: await hasEntry(app, organization, 'destination.updated'),
        run: await has(app, organization, 'runs', `trigger = 'destination'`),
        job: await hasRunJob(app, organization, 'destination'),
      }),
    };
  },

  'a subscription lapses': async ({ app, stripe }) => {
    const organization = await anOrganization(app);
    const { subscriptionId, customerId } = await subscribe(organization, stripe);
    await app.get(SyncSubscription).sync(organization.id);
    await stripe.force(subscriptionId, 'unpaid');
    return {
      organization,
      change: webhook(organization, customerId),
      parts: async () => ({
        change: await has(app, organization, 'subscriptions', `status = 'unpaid'`),
        event: await has(app, organization, 'stripe_events', 'true'),
      }),
    };
  },

  'a subscription returns': async ({ app, warehouse, stripe }) => {
    const organization = await anOrganization(app);
    const { subscriptionId, customerId } = await subscribe(organization, stripe);
    await app.get(SyncSubscription).sync(organization.id);
    await aStoppedConnection(app, organization, warehouse, await aSource(organization));
    await stripe.force(subscriptionId, 'unpaid');
    await app.get(SyncSubscription).sync(organization.id);
    await app.database.query(`delete from runs where organization_id = $1 and trigger = 'subscription'`, [organization.id]);
    // What the first subscription caused.
    await app.database.query(`select graphile_worker.remove_job('event:access.opened:' || $1::text)`, [organization.id]);
    await stripe.force(subscriptionId, 'active');
    return {
      organization,
      change: webhook(organization, customerId),
      parts: async () => ({
        change: await has(app, organization, 'subscriptions', `status = 'active'`),
        event: await has(app, organization, 'stripe_events', 'true'),
        run: await has(app, organization, 'runs', `trigger = 'subscription'`),
        job: await hasRunJob(app, organization, 'subscription'),
      }),
    };
  },
};

/** With access, without a customer at Stripe. */
async function anOpenOrganization(app: TestApp): Promise<Organization> {
  const organization = await anOrganization(app);
  await app.database.query(
    `insert into subscriptions (organization_id, customer_email, status) values ($1, 'owner@example.com', 'active')
     on conflict (organization_id) do update set status = 'active'`,
    [organization.id],
  );
  return organization;
}

/** A connection whose first run was canceled. */
async function aStoppedConnection(app: TestApp, organization: Organization, warehouse: Warehouse, sourceId: string) {
  const { id } = await aConnection(organization, warehouse, { historyDays: 1, streams: STREAMS, sourceId });
  await app.database.query(
    `update runs set state = 'cancelled', ended_at = now(), lease_epoch = nextval('lease_epoch') where connection_id = $1`,
    [id],
  );
  const [row] = await app.database.query<{ destinationId: string }>(
    'select destination_id as "destinationId" from connections where id = $1',
    [id],
  );
  return { id, destinationId: String(row?.destinationId) };
}

const request =
  ({ owner }: Organization, method: string, path: string, body?: object): Change =>
  (url) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${tokenFor(owner)}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

export const read = (organization: Organization): Change => request(organization, 'GET', `${organization.path}/connections`);

/** The product reads the state from Stripe; the event only says that there is another one. */
const webhook = ({ id }: Organization, customer: string): Change => {
  const created = Math.floor(Date.now() / 1_000);
  const event = { id: `evt_${id}`, object: 'event', type: 'customer.subscription.updated', created, data: { object: { object: 'subscription', customer } } }; // prettier-ignore
  return (url) => deliver({ url }, signed(event), 1);
};

async function has({ database }: TestApp, { id }: Organization, table: string, condition: string): Promise<boolean> {
  return (await database.query(`select from ${table} where organization_id = $1 and ${condition} limit 1`, [id])).length > 0;
}

const hasEntry = (app: TestApp, organization: Organization, action: string): Promise<boolean> =>
  has(app, organization, 'audit_events', `action = '${action}'`);

const hasMessage = (app: TestApp, organization: Organization, name: string): Promise<boolean> =>
  has(app, organization, 'outbox_messages', `name = '${name}'`);

/** The run has a job, or a worker has taken it. */
const hasRunJob = (app: TestApp, organization: Organization, trigger: string): Promise<boolean> =>
  has(
    app,
    organization,
    'runs',
    `trigger = '${trigger}' and (state <> 'queued' or exists (select from graphile_worker.jobs j where j.key = 'run:' || runs.id))`,
  );
