import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Entitlements } from '../billing/index.js';
import { PaymentConnections } from '../connections/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { SourcesService } from '../sources/index.js';
import { accountIdsOf } from './account-ids.js';
import { lockWithConnections } from './lock-payment.js';

/** A payment loads all accounts of its app: one for each currency in which Stripe settles, also if it is added later. */
@Injectable()
export class AddAccounts implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly sources: SourcesService,
    private readonly connections: PaymentConnections,
    private readonly entitlements: Entitlements,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on('app.accounts_listed', ({ organizationId, appId }) => this.add(organizationId, appId));
  }

  private async add(organizationId: string, appId: string): Promise<void> {
    const isClosed = await this.entitlements.isClosed(organizationId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const where = { appId, deletedAt: null };
      const payment = await transaction.payment.findFirst({ where, include: { app: true } });
      if (!payment) return;
      await lockWithConnections(query, payment.id);
      const isAdded = await this.sources.addAccountsOfPayment(transaction, payment.sourceId, accountIdsOf(payment.app));
      if (isAdded && !isClosed) await this.connections.startWithin({ transaction, query }, payment.id, 'accounts', null);
    });
  }
}
