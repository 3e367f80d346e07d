import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Actor, bearerOf, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { EventStreams } from './event-streams.js';
import { EventsQuery } from './runs.dto.js';

@ApiTags('Runs')
@Controller('api/v1/organizations/:organizationId/events')
export class EventsController {
  constructor(private readonly streams: EventStreams) {}

  /**
   * Live changes as server-sent events, each with JSON as `data`: `run` (the schema RunProgress), `connection` (`connectionId`),
   * `push` (new events of a custom app), `conversion`, `alert`, `members` (members or roles changed) and `test_bench` (a step of a test
   * has ended). Reload what an event is about: events during an interruption are not sent again. A stream ends within a second after the
   * caller loses access, and when the token expires. A user can have at most ten streams.
   */
  @Get()
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @RequirePermission('runs.read')
  @Answers('events.too_many')
  streamEvents(
    @CurrentActor() actor: Actor,
    @Query() query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    this.streams.open({ actor, token: bearerOf(request) ?? '', query }, response);
  }
}
