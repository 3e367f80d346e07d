import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, assertOwnId, CurrentActor, RequirePermission } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { CreateCustomerBody, CustomerAnswer, SessionValidityAnswer } from './billing.dto.js';
import { CheckoutValidity } from './checkout/checkout-validity.js';
import { Customers } from './customers/customers.service.js';

@ApiTags('Billing')
@Controller('billing')
export class BillingController {
  constructor(
    private readonly customers: Customers,
    private readonly checkouts: CheckoutValidity,
  ) {}

  /** Returns the organization's Stripe customer. The first request creates it. */
  @Post('customer')
  @HttpCode(200)
  @RequirePermission('billing.write', { in: 'body', name: 'organizationId' })
  @Answers('access.not_yours', 'auth.email_unverified', 'billing.off', 'billing.unavailable')
  async createCustomer(@CurrentActor() actor: Actor, @Body() body: CreateCustomerBody): Promise<CustomerAnswer> {
    assertOwnId(actor, { userId: body.userId, email: body.email });
    return { customerId: await this.customers.ensure(actor) };
  }

  /**
   * Returns whether a checkout session belongs to this organization and was completed. The product queries Stripe at most once a
   * minute per session. In between it returns the last result, or 503 when there is none.
   */
  @Get('session-validity/:organizationId/:sessionId')
  @RequirePermission('billing.read')
  @Answers('billing.unavailable')
  async getSessionValidity(@CurrentActor() actor: Actor, @Param('sessionId') sessionId: string): Promise<SessionValidityAnswer> {
    return { isValid: await this.checkouts.isValid(actor.organizationId, sessionId) };
  }
}
