import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/index.js';
import { CatalogModule } from '../catalog/index.js';
import { ConnectionsModule } from '../connections/index.js';
import { SourcesModule } from '../sources/index.js';
import { BillingModule } from '../billing/index.js';
import { SyncModule } from '../sync/index.js';
import { AddAccounts } from './add-accounts.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsQueries } from './payments.queries.js';
import { PaymentsService } from './payments.service.js';
import { ComputeRecurringRevenue } from './recurring/compute-recurring-revenue.js';
import { RecurringRevenueQueries } from './recurring/recurring-revenue.queries.js';
import { SamplePaymentEvents } from './sample/sample-payment-events.js';
import { ApplyWebhooks } from './webhooks/apply-webhooks.js';
import { CheckWebhooks } from './webhooks/check-webhooks.js';
import { PaymentWebhooksController } from './webhooks/payment-webhooks.controller.js';
import { ReceiveWebhook } from './webhooks/receive-webhook.js';

@Module({
  imports: [AppsModule, BillingModule, CatalogModule, ConnectionsModule, SourcesModule, SyncModule],
  controllers: [PaymentsController, PaymentWebhooksController],
  providers: [
    PaymentsService,
    PaymentsQueries,
    AddAccounts,
    ReceiveWebhook,
    ApplyWebhooks,
    CheckWebhooks,
    ComputeRecurringRevenue,
    RecurringRevenueQueries,
    SamplePaymentEvents,
  ],
})
export class PaymentsModule {}
