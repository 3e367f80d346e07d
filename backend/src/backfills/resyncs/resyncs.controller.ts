import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { BackfillDetail, BackfillEstimate, ResyncBody } from '../backfills.dto.js';
import { BackfillsQueries } from '../backfills.queries.js';
import { ResyncsService } from './resyncs.service.js';

@ApiTags('Backfills')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/resyncs')
export class ResyncsController {
  constructor(
    private readonly resyncs: ResyncsService,
    private readonly queries: BackfillsQueries,
  ) {}

  /**
   * Loads all days of a stream into a new table beside the old one, verifies them, and swaps the tables in one step. Scheduled runs
   * continue. The re-sync is a backfill: it is listed, paused, resumed, canceled and retried like one.
   */
  @Post()
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers(
    'connection.paused',
    'connection.unknown_stream',
    'resync.unsupported',
    'backfill.overlaps',
    'backfill.nothing_missing',
    'backfill.too_large',
  )
  async startResync(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() { stream }: ResyncBody,
  ): Promise<BackfillDetail> {
    const id = await this.resyncs.start(actor, connectionId, stream);
    return this.queries.getBackfill(actor.organizationId, connectionId, id);
  }

  /** Returns the cost of a re-sync, from the days and runs of the connection. Sends no request to the platform. */
  @Post('estimate')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('connection.unknown_stream', 'resync.unsupported', 'backfill.too_large')
  estimateResync(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() { stream }: ResyncBody,
  ): Promise<BackfillEstimate> {
    return this.resyncs.estimate(organizationId, connectionId, stream);
  }
}
