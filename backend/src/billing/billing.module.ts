import { Module } from '@nestjs/common';
import { BillingController } from './billing.controller.js';
import { BillingQueries } from './billing.queries.js';
import { CheckoutPages } from './checkout/checkout.js';
import { CheckoutValidity } from './checkout/checkout-validity.js';
import { CheckoutSessions } from './checkout/checkout-sessions.js';
import { Customers } from './customers/customers.service.js';
import { EndBilling } from './end-billing.js';
import { Entitlements } from './entitlements.service.js';
import { PlanCatalog } from './plan-catalog.js';
import { ReceiveEvent } from './receive-event.js';
import { ReconcileSubscriptions } from './reconcile-subscriptions.js';
import { RefreshSubscription } from './refresh-subscription.js';
import { StripeApi, stripeLibrary } from './stripe-api.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';
import { SubscriptionController } from './subscription.controller.js';
import { SyncSubscription } from './sync-subscription.js';
import { UsageQueries } from './usage.queries.js';

@Module({
  controllers: [BillingController, SubscriptionController, StripeWebhookController],
  providers: [
    stripeLibrary,
    StripeApi,
    PlanCatalog,
    Customers,
    CheckoutPages,
    CheckoutValidity,
    CheckoutSessions,
    SyncSubscription,
    RefreshSubscription,
    ReceiveEvent,
    ReconcileSubscriptions,
    BillingQueries,
    UsageQueries,
    EndBilling,
    Entitlements,
  ],
  exports: [Entitlements],
})
export class BillingModule {}
