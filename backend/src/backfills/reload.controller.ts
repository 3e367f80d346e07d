import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { RunSummary, SyncService } from '../sync/index.js';
import { ReloadBody } from './backfills.dto.js';
import { ReloadDays } from './reload-days.js';

@ApiTags('Backfills')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/reload')
export class ReloadController {
  constructor(
    private readonly reloads: ReloadDays,
    private readonly sync: SyncService,
  ) {}

  /** Queues a run that reads exactly these days and replaces their rows. It may run beside a scheduled run. */
  @Post()
  @HttpCode(202)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers(
    'connection.paused',
    'connection.unknown_stream',
    'connection.unknown_account',
    'connection.history_gone',
    'reload.active',
    'backfill.too_large',
  )
  async reloadDays(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: ReloadBody,
  ): Promise<RunSummary> {
    return this.sync.getSummary(actor.organizationId, await this.reloads.reload(actor, connectionId, body));
  }
}
