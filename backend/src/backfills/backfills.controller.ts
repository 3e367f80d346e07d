import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { BackfillBody, BackfillDetail, BackfillEstimate, BackfillPage } from './backfills.dto.js';
import { BackfillsQueries } from './backfills.queries.js';
import { BackfillsService } from './backfills.service.js';
import { EstimateBackfill } from './estimate-backfill.js';

@ApiTags('Backfills')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/backfills')
export class BackfillsController {
  constructor(
    private readonly backfills: BackfillsService,
    private readonly queries: BackfillsQueries,
    private readonly estimates: EstimateBackfill,
  ) {}

  /** Lists the backfills of a connection, newest first. */
  @Get()
  @RequirePermission('connections.read')
  listBackfills(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: PageQuery,
  ): Promise<BackfillPage> {
    return this.queries.listBackfills(organizationId, connectionId, query);
  }

  /** Starts a backfill. It loads the newest days first, beside the scheduled runs, and does not change their schedule or window. */
  @Post()
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers(
    'connection.paused',
    'connection.unknown_stream',
    'connection.unknown_account',
    'connection.history_gone',
    'backfill.overlaps',
    'backfill.nothing_missing',
    'backfill.too_large',
  )
  async startBackfill(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: BackfillBody,
  ): Promise<BackfillDetail> {
    const id = await this.backfills.start(actor, connectionId, body);
    return this.queries.getBackfill(actor.organizationId, connectionId, id);
  }

  /** Returns the cost of a backfill, from the days and runs of the connection. Sends no request to the platform. */
  @Post('estimate')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('connection.unknown_stream', 'connection.unknown_account', 'connection.history_gone', 'backfill.too_large')
  estimateBackfill(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: BackfillBody,
  ): Promise<BackfillEstimate> {
    return this.estimates.estimate(organizationId, connectionId, body);
  }

  /** Returns one backfill with its chunks. */
  @Get(':backfillId')
  @RequirePermission('connections.read')
  getBackfill(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('backfillId', ParseUUIDPipe) backfillId: string,
  ): Promise<BackfillDetail> {
    return this.queries.getBackfill(organizationId, connectionId, backfillId);
  }

  /** Pauses a backfill. The active run stops before its next slice. */
  @Post(':backfillId/pause')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @Answers('backfill.wrong_state', 'backfill.swapping')
  async pauseBackfill(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('backfillId', ParseUUIDPipe) backfillId: string,
  ): Promise<BackfillDetail> {
    await this.backfills.pause(actor, connectionId, backfillId);
    return this.queries.getBackfill(actor.organizationId, connectionId, backfillId);
  }

  /** Resumes a paused backfill with the chunks that are not loaded. */
  @Post(':backfillId/resume')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('backfill.wrong_state', 'connection.paused')
  async resumeBackfill(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('backfillId', ParseUUIDPipe) backfillId: string,
  ): Promise<BackfillDetail> {
    await this.backfills.resume(actor, connectionId, backfillId);
    return this.queries.getBackfill(actor.organizationId, connectionId, backfillId);
  }

  /** Cancels a backfill. Loaded days stay. The new table of a re-sync is dropped. */
  @Post(':backfillId/cancel')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @Answers('backfill.wrong_state', 'backfill.swapping')
  async cancelBackfill(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('backfillId', ParseUUIDPipe) backfillId: string,
  ): Promise<BackfillDetail> {
    await this.backfills.cancel(actor, connectionId, backfillId);
    return this.queries.getBackfill(actor.organizationId, connectionId, backfillId);
  }

  /** Loads the chunks of an ended backfill again that failed or were not reached. */
  @Post(':backfillId/retry-failed')
  @HttpCode(200)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('backfill.wrong_state', 'backfill.overlaps', 'connection.paused')
  async retryBackfill(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('backfillId', ParseUUIDPipe) backfillId: string,
  ): Promise<BackfillDetail> {
    await this.backfills.retryFailed(actor, connectionId, backfillId);
    return this.queries.getBackfill(actor.organizationId, connectionId, backfillId);
  }
}
