import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { Checkout, Portal, Subscription, Usage } from './billing.dto.js';
import { BillingQueries } from './billing.queries.js';
import { CheckoutPages } from './checkout/checkout.js';
import { RefreshSubscription } from './refresh-subscription.js';
import { UsageQueries } from './usage.queries.js';

@ApiTags('Billing')
@Controller('api/v1/organizations/:organizationId')
export class SubscriptionController {
  constructor(
    private readonly queries: BillingQueries,
    private readonly usage: UsageQueries,
    private readonly pages: CheckoutPages,
    private readonly refresh: RefreshSubscription,
  ) {}

  /** Returns the organization's subscription as of the last sync with Stripe. */
  @Get('subscription')
  @RequirePermission('billing.read')
  getSubscription(@CurrentActor() actor: Actor): Promise<Subscription> {
    return this.queries.getSubscription(actor.organizationId);
  }

  /** Opens a Stripe checkout session. An open session is reused. */
  @Post('subscription/checkout')
  @HttpCode(200)
  @RequirePermission('billing.write')
  @Answers('subscription.exists', 'auth.email_unverified', 'billing.off', 'billing.unavailable')
  openCheckout(@CurrentActor() actor: Actor): Promise<Checkout> {
    return this.pages.openCheckout(actor);
  }

  /** Opens Stripe's customer portal for cards, invoices and the plan. */
  @Post('subscription/portal')
  @HttpCode(200)
  @RequirePermission('billing.write')
  @Answers('subscription.no_customer', 'billing.off', 'billing.unavailable')
  openPortal(@CurrentActor() actor: Actor): Promise<Portal> {
    return this.pages.openPortal(actor);
  }

  /** Syncs the subscription with Stripe, at most every two seconds. Returns the last state when Stripe is unavailable. */
  @Post('subscription/refresh')
  @HttpCode(200)
  @RequirePermission('billing.read')
  async refreshSubscription(@CurrentActor() actor: Actor): Promise<Subscription> {
    await this.refresh.refresh(actor.organizationId);
    return this.queries.getSubscription(actor.organizationId);
  }

  /** Returns the organization's usage. */
  @Get('usage')
  @RequirePermission('organization.read')
  getUsage(@CurrentActor() actor: Actor): Promise<Usage> {
    return this.usage.getUsage(actor.organizationId);
  }
}
