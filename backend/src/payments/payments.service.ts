import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Alerts } from '../alerts/index.js';
import { AuditService } from '../audit/index.js';
import { PaymentConnections } from '../connections/index.js';
import { PAYMENT_PROVIDER, paymentEvents } from '../connectors/catalog.js';
import { Secrets } from '../core/encryption/secrets.js';
import { dayToDate } from '../core/database/days.js';
import { newId } from '../core/database/identifiers.js';
import { TenantDatabase, type TenantClient, type TenantQuery, type TenantTransaction } from '../core/database/tenant-database.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import type { App, Payment } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/index.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';
import { SourcesService } from '../sources/index.js';
import { RereadDays } from '../sync/index.js';
import { lockPayment, lockWithConnections } from './lock-payment.js';
import type { CreatePaymentBody, UpdatePaymentBody } from './payments.dto.js';
import { queueRecurringRevenue } from './recurring/recurring-jobs.js';
import { accountIdsOf } from './account-ids.js';
import { queueApplyWebhooks } from './webhooks/webhook-jobs.js';

// SQL: locks the app's row.

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;
/** Between the cancelation of a run and the change, the schedule may start another one. */
const MOST_ATTEMPTS = 5;

type Settings = Pick<Payment, 'name' | 'events' | 'customerIdType' | 'amountMode'> & { historyFrom: string };

/** Creates and changes payments, together with their source and connections. */
@Injectable()
export class PaymentsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly sources: SourcesService,
    private readonly connections: PaymentConnections,
    private readonly reread: RereadDays,
    private readonly secrets: Secrets,
    private readonly audit: AuditService,
    private readonly alerts: Alerts,
    private readonly deleters: DeleterService,
  ) {}

  onModuleInit(): void {
    this.deleters.register('payment', { permission: 'payments.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, body: CreatePaymentBody): Promise<string> {
    const { organizationId, uid } = actor;
    const id = newId();
    const sourceId = newId();
    const settings: Settings = {
      name: body.name,
      events: body.events ?? [...paymentEvents],
      customerIdType: body.customerIdType ?? 'stripe_id',
      amountMode: body.amountMode ?? 'gross',
      historyFrom: body.historyFrom,
    };
    await this.write(actor, 'created', async (transaction, query) => {
      const app = await this.lockApp(transaction, query, body.appId);
      if (await transaction.payment.count({ where: { appId: app.id, deletedAt: null } })) throw appTaken(app.displayName);
      await this.assertDestinations(transaction, query, null, app, body.destinationIds);
      await this.saveSource(transaction, { id: sourceId, app, createdBy: uid }, settings);
      await transaction.payment.create({
        data: {
          ...{ id, organizationId, appId: app.id, sourceId, createdBy: uid },
          ...settings,
          historyFrom: dayToDate(settings.historyFrom),
        },
      });
      const load = { paymentId: id, sourceId, name: settings.name, historyFrom: settings.historyFrom, createdBy: uid };
      await this.connections.saveWithin(transaction, organizationId, load, body.destinationIds);
      await this.connections.startWithin({ transaction, query }, id, 'first_run', uid);
      await queueRecurringRevenue(query, organizationId, id);
      return { id, name: body.name, after: { ...settings, destinationIds: body.destinationIds } };
    });
    return id;
  }

  /** Other events, customer ids or amounts change rows of all days, so all of them are read again. */
  async update(actor: Actor, paymentId: string, body: UpdatePaymentBody): Promise<void> {
    const { organizationId } = actor;
    await this.assertChange(organizationId, paymentId, body);
    for (let attempt = 1; ; attempt++) {
      await this.connections.cancelActive(organizationId, paymentId);
      if (await this.tryUpdate(actor, paymentId, body)) return;
      if (attempt === MOST_ATTEMPTS) throw busy();
    }
  }

  /** Before runs are canceled: a change that is rejected ends none. It is checked again in the transaction that saves it. */
  private async assertChange(organizationId: string, paymentId: string, body: UpdatePaymentBody): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { appId, version } = await this.find(transaction, paymentId);
      if (version !== body.version) throw versionConflict('payment');
      const app = await this.lockApp(transaction, query, appId, false);
      if (body.destinationIds) await this.assertDestinations(transaction, query, paymentId, app, body.destinationIds);
    });
  }

  /** False: a run has started since the last one was canceled, and reads with the old settings. */
  private async tryUpdate(actor: Actor, paymentId: string, body: UpdatePaymentBody): Promise<boolean> {
    const { organizationId, uid } = actor;
    let isFree = true;
    await this.write(actor, 'updated', async (transaction, query) => {
      const connections = await transaction.connection.findMany({
        where: { paymentId, deletedAt: null },
        orderBy: { id: 'asc' },
      });
      const current = await this.find(transaction, paymentId);
      const settings = changed(current, body);
      const days = isSameRows(current, settings) ? [] : null;
      const connectionIds = connections.map(({ id }) => id);
      isFree = await this.reread.within(query, { connectionIds, days }, () => lockPayment(query, paymentId));
      if (!isFree) return null;
      const app = await this.lockApp(transaction, query, current.appId, false);
      const destinationIds = body.destinationIds ?? connections.map(({ destinationId }) => destinationId);
      await this.assertDestinations(transaction, query, paymentId, app, destinationIds);
      const { count } = await transaction.payment.updateMany({
        where: { id: paymentId, version: body.version },
        data: { ...settings, historyFrom: dayToDate(settings.historyFrom), version: { increment: 1 } },
      });
      if (count === 0) throw versionConflict('payment');
      await this.saveSource(transaction, { id: current.sourceId, app, createdBy: current.createdBy }, settings);
      const load = {
        paymentId,
        sourceId: current.sourceId,
        name: settings.name,
        historyFrom: settings.historyFrom,
        createdBy: uid,
      };
      const removed = await this.connections.saveWithin(transaction, organizationId, load, destinationIds);
      if (current.desired === 'paused') await this.connections.pauseWithin(transaction, paymentId, current.pausedBy ?? uid);
      else await this.connections.startWithin({ transaction, query }, paymentId, 'settings', uid);
      for (const connectionId of removed) await this.alerts.close(query, connectionId);
      const { version: _, ...after } = body;
      return { id: paymentId, name: settings.name, after };
    });
    return isFree;
  }

  async run(actor: Actor, paymentId: string): Promise<void> {
    await this.write(actor, 'run', async (transaction, query) => {
      const { name, desired } = await this.find(transaction, paymentId);
      const { active } = await this.connections.countWithin(transaction, paymentId);
      if (desired === 'paused' || active === 0)
        throw new Problem('payment.paused', { detail: `${name} is paused.`, action: 'Resume the payment first' });
      await this.connections.startWithin({ transaction, query }, paymentId, 'user', actor.uid);
      await queueRecurringRevenue(query, actor.organizationId, paymentId);
      return { id: paymentId, name };
    });
  }

  async pause(actor: Actor, paymentId: string): Promise<void> {
    await this.write(actor, 'paused', async (transaction, query) => {
      await lockWithConnections(query, paymentId);
      const { name } = await this.find(transaction, paymentId);
      const paused = { desired: 'paused', pausedAt: new Date(), pausedBy: actor.uid } as const;
      await transaction.payment.update({ where: { id: paymentId }, data: paused });
      await this.connections.pauseWithin(transaction, paymentId, actor.uid);
      return { id: paymentId, name };
    });
    await this.connections.cancelActive(actor.organizationId, paymentId);
  }

  /** Also an active payment has paused connections: those that were paused automatically. */
  async resume(actor: Actor, paymentId: string): Promise<void> {
    await this.write(actor, 'resumed', async (transaction, query) => {
      await lockWithConnections(query, paymentId);
      const { name, desired } = await this.find(transaction, paymentId);
      const { paused } = await this.connections.countWithin(transaction, paymentId);
      if (desired === 'active' && paused === 0) return null;
      const active = { desired: 'active', pausedAt: null, pausedBy: null } as const;
      await transaction.payment.update({ where: { id: paymentId }, data: active });
      await this.connections.resumeWithin({ transaction, query }, actor.organizationId, paymentId);
      await this.connections.startWithin({ transaction, query }, paymentId, 'resumed', actor.uid);
      await queueRecurringRevenue(query, actor.organizationId, paymentId);
      return { id: paymentId, name };
    });
  }

  async delete(actor: Actor, paymentId: string): Promise<void> {
    const deletedAt = new Date();
    await this.find(this.tenants.of(actor.organizationId), paymentId);
    // A run that still works would fail because its source is gone.
    await this.connections.cancelActive(actor.organizationId, paymentId);
    await this.write(actor, 'deleted', async (transaction, query) => {
      await lockWithConnections(query, paymentId);
      const { name, sourceId } = await this.find(transaction, paymentId);
      await transaction.payment.update({ where: { id: paymentId }, data: { deletedAt } });
      const connectionIds = await this.connections.deleteWithin(transaction, paymentId, deletedAt);
      await this.sources.deleteOfPayment(transaction, sourceId);
      for (const subjectId of [paymentId, ...connectionIds]) await this.alerts.close(query, subjectId);
      return { id: paymentId, name };
    });
    await this.connections.cancelActive(actor.organizationId, paymentId);
  }

  /** Does nothing if it is not deleted. */
  async restore(actor: Actor, paymentId: string): Promise<void> {
    await this.write(actor, 'restored', async (transaction, query) => {
      await lockWithConnections(query, paymentId);
      const payment = await transaction.payment.findFirst({
        where: { id: paymentId, OR: [{ deletedAt: null }, { deletedAt: { gt: new Date(Date.now() - RESTORABLE_MS) } }] },
        include: { app: true },
      });
      if (!payment) throw notFound('The payment');
      const { deletedAt, name } = payment;
      if (!deletedAt) return null;
      if (payment.app.deletedAt) throw partsGone(name);
      const app = await this.lockApp(transaction, query, payment.appId, false);
      if (await transaction.payment.count({ where: { appId: app.id, deletedAt: null } })) throw appTaken(app.displayName);
      await transaction.payment.update({ where: { id: paymentId }, data: { deletedAt: null } });
      const isPaused = payment.desired === 'paused';
      const destinationIds = await this.connections.restoreWithin(transaction, paymentId, { deletedAt, isPaused });
      const there = await transaction.destination.count({ where: { id: { in: destinationIds }, deletedAt: null } });
      if (there < destinationIds.length) throw partsGone(name);
      await this.assertDestinations(transaction, query, paymentId, app, destinationIds);
      await this.sources.restoreOfPayment(transaction, payment.sourceId);
      if (!isPaused) await this.connections.startWithin({ transaction, query }, paymentId, 'restored', actor.uid);
      if (!isPaused) await queueRecurringRevenue(query, actor.organizationId, paymentId);
      // Events that arrived shortly before the deletion: their job found no connection.
      await queueApplyWebhooks(query, actor.organizationId, paymentId);
      return { id: paymentId, name };
    });
  }

  async enterSecret(actor: Actor, paymentId: string, secret: string): Promise<void> {
    const { organizationId } = actor;
    const place = { organizationId, table: 'payments', column: 'webhook_secret', rowId: paymentId } as const;
    const webhookSecret = await this.secrets.encrypt(place, secret);
    await this.write(actor, 'webhook_secret_entered', async (transaction, query) => {
      await lockWithConnections(query, paymentId);
      const { name } = await this.find(transaction, paymentId);
      await transaction.payment.update({ where: { id: paymentId }, data: { webhookSecret, webhookSecretAt: new Date() } });
      return { id: paymentId, name };
    });
  }

  /** The lock makes two payments that are created or restored for one app wait for each other. */
  private async lockApp(transaction: TenantTransaction, query: TenantQuery, appId: string, mustBeConnected = true): Promise<App> {
    await query('select id from apps where organization_id = $1 and id = $2::uuid for no key update', [appId]);
    const app = await transaction.app.findFirst({ where: { id: appId, provider: PAYMENT_PROVIDER, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.state === 'connected' || app.state === 'expiring' || !mustBeConnected) return app;
    throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Enter a valid key first' });
  }

  /** They exist, and no other payment writes the same Stripe account there: its rows would replace these. */
  private async assertDestinations(
    transaction: TenantTransaction,
    query: TenantQuery,
    paymentId: string | null,
    app: App,
    destinationIds: string[],
  ): Promise<void> {
    const found = await transaction.destination.count({ where: { id: { in: destinationIds }, deletedAt: null } });
    if (found < destinationIds.length) throw notFound('The destination');
    const accountIds = accountIdsOf(app);
    const [rival] = await this.connections.listRivals(transaction, { paymentId, accountIds, destinationIds });
    if (rival === undefined) return;
    throw new Problem('payment.destination_taken', {
      detail: `"${rival}" loads the same Stripe account into one of these destinations.`,
      action: `Choose another destination, or add what you need to "${rival}"`,
    });
  }

  private saveSource(
    transaction: TenantTransaction,
    { id, app, createdBy }: { id: string; app: App; createdBy: string },
    { name, events, customerIdType, amountMode }: Settings,
  ): Promise<void> {
    const source = { id, organizationId: app.organizationId, appId: app.id, name, createdBy };
    return this.sources.saveOfPayment(transaction, source, accountIdsOf(app), { events, customerIdType, amountMode });
  }

  private async find(transaction: Pick<TenantClient, 'payment'>, paymentId: string): Promise<Payment> {
    const payment = await transaction.payment.findFirst({ where: { id: paymentId, deletedAt: null } });
    if (!payment) throw notFound('The payment');
    return payment;
  }

  /** One transaction for the change and its audit entry. */
  private async write(
    actor: Actor,
    action: string,
    work: (transaction: TenantTransaction, query: TenantQuery) => Promise<{ id: string; name: string; after?: object } | null>,
  ): Promise<void> {
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const entry = await work(transaction, query);
      if (!entry) return;
      const { id, name, after } = entry;
      const target = { type: 'payment', id, name };
      await this.audit.record(actor, { action: `payment.${action}`, target, ...(after && { after }) }, query);
    });
  }
}

function changed(current: Payment, body: UpdatePaymentBody): Settings {
  return {
    name: body.name ?? current.name,
    events: body.events ?? current.events,
    customerIdType: body.customerIdType ?? current.customerIdType,
    amountMode: body.amountMode ?? current.amountMode,
    historyFrom: body.historyFrom ?? current.historyFrom.toISOString().slice(0, 10),
  };
}

const isSameRows = (current: Payment, next: Settings): boolean =>
  current.customerIdType === next.customerIdType &&
  current.amountMode === next.amountMode &&
  JSON.stringify(current.events.toSorted()) === JSON.stringify(next.events.toSorted());

const appTaken = (name: string): Problem =>
  new Problem('payment.app_taken', { detail: `Another payment uses ${name}.`, action: 'Change that payment instead' });

const partsGone = (name: string): Problem =>
  new Problem('payment.parts_gone', {
    detail: `The app or a destination of ${name} was deleted.`,
    action: 'Create a new payment',
  });

const busy = (): Problem =>
  new Problem('payment.busy', { detail: 'Runs of the payment are just starting.', action: 'Try again' });
