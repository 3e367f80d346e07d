import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { PUSH_BODY_BYTES } from '../../core/http/body-limits.js';
import { readBytes } from '../../core/http/body-parser.js';
import { PushAnswer } from './push-endpoint.dto.js';
import { ReceiveEvents } from './receive-events.js';

const EVENT = {
  type: 'object',
  additionalProperties: true,
  example: { orderId: 'A-1042', createdAt: '2026-11-19T06:00:12Z', email: 'customer@example.com', total: 49.9, currency: 'EUR' },
};

@ApiTags('Custom apps')
@Controller('push')
export class PushController {
  constructor(private readonly events: ReceiveEvents) {}

  /**
   * Receives one event, or a list of up to 1,000, with the key of the endpoint as `Authorization: Bearer trp_…`. Stores all
   * events of a call before the response or, if one event is invalid, none.
   */
  @Post(':pushKeyId')
  @HttpCode(202)
  @Public()
  @ApiBody({
    description: 'An event or a list of events. Each is an object that matches the schema of the endpoint.',
    schema: { oneOf: [EVENT, { type: 'array', minItems: 1, maxItems: 1_000, items: EVENT }], example: EVENT.example },
  })
  @Answers('auth.invalid', 'push.invalid_event', 'push.quota_reached', 'push.busy', 'subscription.required')
  pushEvents(
    @Param('pushKeyId') pushKeyId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PushAnswer> {
    return this.events.receive({
      pushKeyId,
      authorization: request.headers.authorization,
      readBody: () => readBytes(request, response, PUSH_BODY_BYTES),
      response,
    });
  }
}
