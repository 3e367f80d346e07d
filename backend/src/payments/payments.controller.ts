import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CountedAs, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { CreatePaymentBody, EnterWebhookSecretBody, PaymentEntry, PaymentPage, UpdatePaymentBody } from './payments.dto.js';
import { PaymentsQueries } from './payments.queries.js';
import { PaymentsService } from './payments.service.js';
import { RecurringRevenueEntry } from './recurring/recurring-revenue.dto.js';
import { RecurringRevenueQueries } from './recurring/recurring-revenue.queries.js';
import { PaymentEventSample } from './sample/sample.dto.js';
import { SamplePaymentEvents } from './sample/sample-payment-events.js';

@ApiTags('Payments')
@Controller('api/v1/organizations/:organizationId/payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly queries: PaymentsQueries,
    private readonly revenues: RecurringRevenueQueries,
    private readonly samples: SamplePaymentEvents,
  ) {}

  /** Lists payments, oldest first. */
  @Get()
  @RequirePermission('payments.read')
  listPayments(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<PaymentPage> {
    return this.queries.listPayments(actor.organizationId, query);
  }

  /** Creates a payment. Its first runs start automatically, one for each destination. */
  @Post()
  @RequirePermission('payments.write')
  @RequireSubscription()
  @Answers('app.not_connected', 'payment.app_taken', 'payment.destination_taken')
  async createPayment(@CurrentActor() actor: Actor, @Body() body: CreatePaymentBody): Promise<PaymentEntry> {
    return this.queries.getPayment(actor.organizationId, await this.payments.create(actor, body));
  }

  /** Returns one payment. */
  @Get(':paymentId')
  @RequirePermission('payments.read')
  getPayment(@CurrentActor() actor: Actor, @Param('paymentId', ParseUUIDPipe) paymentId: string): Promise<PaymentEntry> {
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Changes a payment. Other events, customer ids or amounts load all days again. */
  @Patch(':paymentId')
  @RequirePermission('payments.write')
  @Answers('conflict.version', 'payment.destination_taken', 'payment.busy')
  async updatePayment(
    @CurrentActor() actor: Actor,
    @Param('paymentId', ParseUUIDPipe) paymentId: string,
    @Body() body: UpdatePaymentBody,
  ): Promise<PaymentEntry> {
    await this.payments.update(actor, paymentId, body);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Deletes a payment. It can be restored for 30 days. Loaded rows stay at the destinations. */
  @Delete(':paymentId')
  @HttpCode(204)
  @RequirePermission('payments.write')
  deletePayment(@CurrentActor() actor: Actor, @Param('paymentId', ParseUUIDPipe) paymentId: string): Promise<void> {
    return this.payments.delete(actor, paymentId);
  }

  /** Restores a payment within 30 days after its deletion. Runs load the missed days. */
  @Post(':paymentId/restore')
  @HttpCode(200)
  @RequirePermission('payments.write')
  @RequireSubscription()
  @Answers('payment.parts_gone', 'payment.app_taken', 'payment.destination_taken')
  async restorePayment(
    @CurrentActor() actor: Actor,
    @Param('paymentId', ParseUUIDPipe) paymentId: string,
  ): Promise<PaymentEntry> {
    await this.payments.restore(actor, paymentId);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Starts a run for each destination. A destination with an active run gets no second one. */
  @Post(':paymentId/run')
  @HttpCode(202)
  @RequirePermission('payments.write')
  @RequireSubscription()
  @Answers('payment.paused')
  async runPayment(@CurrentActor() actor: Actor, @Param('paymentId', ParseUUIDPipe) paymentId: string): Promise<PaymentEntry> {
    await this.payments.run(actor, paymentId);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Stops all runs. Webhooks are still received, so nothing is missed after it is resumed. */
  @Post(':paymentId/pause')
  @HttpCode(200)
  @RequirePermission('payments.write')
  async pausePayment(@CurrentActor() actor: Actor, @Param('paymentId', ParseUUIDPipe) paymentId: string): Promise<PaymentEntry> {
    await this.payments.pause(actor, paymentId);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Resumes a paused payment. Runs load the missed days. */
  @Post(':paymentId/resume')
  @HttpCode(200)
  @RequirePermission('payments.write')
  @RequireSubscription()
  async resumePayment(@CurrentActor() actor: Actor, @Param('paymentId', ParseUUIDPipe) paymentId: string): Promise<PaymentEntry> {
    await this.payments.resume(actor, paymentId);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Enters or replaces the signing secret of the webhook endpoint. It is never returned. */
  @Post(':paymentId/webhook-secret')
  @HttpCode(200)
  @RequirePermission('apps.write')
  async enterWebhookSecret(
    @CurrentActor() actor: Actor,
    @Param('paymentId', ParseUUIDPipe) paymentId: string,
    @Body() { secret }: EnterWebhookSecretBody,
  ): Promise<PaymentEntry> {
    await this.payments.enterSecret(actor, paymentId, secret);
    return this.queries.getPayment(actor.organizationId, paymentId);
  }

  /** Returns the monthly recurring revenue with its definition, as last computed. Amounts of different currencies are not added. */
  @Get(':paymentId/recurring-revenue')
  @RequirePermission('payments.read')
  getRecurringRevenue(
    @CurrentActor() actor: Actor,
    @Param('paymentId', ParseUUIDPipe) paymentId: string,
  ): Promise<RecurringRevenueEntry> {
    return this.revenues.getRecurringRevenue(actor.organizationId, paymentId);
  }

  /** Returns the newest loaded events, read from Stripe. Personal data is masked. Counts against the daily request budget. */
  @Post(':paymentId/sample-events')
  @HttpCode(200)
  @RequirePermission('payments.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers('app.not_connected', 'provider.failed', 'provider.unavailable', 'provider.budget_used')
  samplePaymentEvents(
    @CurrentActor() actor: Actor,
    @Param('paymentId', ParseUUIDPipe) paymentId: string,
  ): Promise<PaymentEventSample> {
    return this.samples.sample(actor.organizationId, paymentId);
  }
}
