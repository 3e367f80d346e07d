import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { filter } from 'rxjs';
import { type Actor, CurrentActor, RequirePermission } from '../access/access.decorator.js';
import { ENV, type Env } from '../platform/env.js';
import { Notifications } from '../platform/notifications.js';
import { EventsQuery } from './runs.dto.js';

@ApiTags('Runs')
@Controller('api/v1/organizations/:organizationId/events')
export class EventsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly notifications: Notifications,
  ) {}

  /** Live progress as server-sent events: `run` carries where a run stands, `connection` says that something changed, `push` that events came. */
  @Get()
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @RequirePermission('runs.read')
  streamEvents(@CurrentActor() actor: Actor, @Query() query: EventsQuery, @Res() response: Response): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    response.write(': connected\n\n');
    const keepAlive = setInterval(() => response.write(': keep-alive\n\n'), this.env.LIVE_KEEP_ALIVE_SECONDS * 1_000);
    const subscription = this.notifications.live
      .pipe(filter((event) => event.organizationId === actor.organizationId && isWanted(event.connectionId, query)))
      .subscribe({
        next: (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`),
        complete: () => response.end(),
      });
    response.on('close', () => {
      clearInterval(keepAlive);
      subscription.unsubscribe();
    });
  }
}

const isWanted = (connectionId: string | null, query: EventsQuery): boolean =>
  !query.connectionId || query.connectionId === connectionId;
