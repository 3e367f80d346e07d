import { Controller, Headers, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { PaymentWebhookAnswer } from '../payments.dto.js';
import { ReceiveWebhook } from './receive-webhook.js';

@ApiTags('Payments')
@Controller('webhooks/payments')
export class PaymentWebhooksController {
  constructor(private readonly webhooks: ReceiveWebhook) {}

  /** Receives a signed event of the Stripe account of an app. The response is sent before anything is read again. */
  @Post(':appId')
  @HttpCode(200)
  @Public()
  @ApiBody({ description: 'A signed Stripe event.', schema: { type: 'object', additionalProperties: true } })
  @Answers('webhook.signature_invalid')
  async receivePaymentEvent(
    @Param('appId') appId: string,
    @Req() request: Request,
    @Headers('stripe-signature') signature?: string,
  ): Promise<PaymentWebhookAnswer> {
    await this.webhooks.receive(appId, request.body, signature);
    return { received: true };
  }
}
