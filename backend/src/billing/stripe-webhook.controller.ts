import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { WebhookAnswer } from './billing.dto.js';
import { ReceiveEvent } from './receive-event.js';

@ApiTags('Billing')
@Controller('webhooks')
export class StripeWebhookController {
  constructor(private readonly events: ReceiveEvent) {}

  /** Receives a signed Stripe event. The response is sent before the event is processed. */
  @Post('stripe')
  @HttpCode(200)
  @Public()
  @ApiBody({ description: 'A signed Stripe event.', schema: { type: 'object', additionalProperties: true } })
  @Answers('webhook.signature_invalid')
  async receiveStripeEvent(@Req() request: Request, @Headers('stripe-signature') signature?: string): Promise<WebhookAnswer> {
    await this.events.receive(request.body, signature);
    return { received: true };
  }
}
