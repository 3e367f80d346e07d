import { Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { RunSummary, SyncService } from '../../sync/index.js';
import { ConnectionsService } from '../connections.service.js';

/** Not in `sync`, because a run is started for its connection. */
@ApiTags('Runs')
@Controller('api/v1/organizations/:organizationId/runs')
export class RetryRunController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly sync: SyncService,
  ) {}

  /**
   * Queues a run of the connection of an ended run, as `runConnection` does. It reads the lookback window and all days that are
   * missing. If another run of the connection is active, it is returned.
   */
  @Post(':runId/retry')
  @HttpCode(202)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('run.active', 'run.of_backfill', 'connection.paused')
  async retryRun(@CurrentActor() actor: Actor, @Param('runId', ParseUUIDPipe) runId: string): Promise<RunSummary> {
    const connectionId = await this.sync.connectionToRetry(actor.organizationId, runId);
    return this.sync.getSummary(actor.organizationId, await this.connections.run(actor, connectionId));
  }
}
