import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { RunLogQueries } from './run-log.queries.js';
import { RunProof } from './run-proof.dto.js';
import { RunProofQueries } from './run-proof.queries.js';
import { RunDetail, RunLogPage, RunLogQuery, RunPage, RunsQuery, RunSummary } from './runs.dto.js';
import { RunsQueries } from './runs.queries.js';
import { SyncService } from './sync.service.js';

@ApiTags('Runs')
@Controller('api/v1/organizations/:organizationId/runs')
export class RunsController {
  constructor(
    private readonly sync: SyncService,
    private readonly queries: RunsQueries,
    private readonly proofs: RunProofQueries,
    private readonly logs: RunLogQueries,
  ) {}

  /** Lists runs, newest first. */
  @Get()
  @RequirePermission('runs.read')
  listRuns(@CurrentActor() actor: Actor, @Query() query: RunsQuery): Promise<RunPage> {
    return this.queries.listRuns(actor.organizationId, query);
  }

  /** Returns one run with its slices, attempts, verification, log and requests. */
  @Get(':runId')
  @RequirePermission('runs.read')
  getRun(@CurrentActor() actor: Actor, @Param('runId', ParseUUIDPipe) runId: string): Promise<RunDetail> {
    return this.queries.getRun(actor.organizationId, runId);
  }

  /** Returns what a run read and what it found at the destination, by stream, currency and account. */
  @Get(':runId/proof')
  @RequirePermission('runs.read')
  getRunProof(@CurrentActor() actor: Actor, @Param('runId', ParseUUIDPipe) runId: string): Promise<RunProof> {
    return this.proofs.getProof(actor.organizationId, runId);
  }

  /** Returns all lines of the log of a run, oldest first unless requested otherwise. The requests are in the run itself. */
  @Get(':runId/log')
  @RequirePermission('runs.read')
  listRunLog(
    @CurrentActor() actor: Actor,
    @Param('runId', ParseUUIDPipe) runId: string,
    @Query() query: RunLogQuery,
  ): Promise<RunLogPage> {
    return this.logs.listLog(actor.organizationId, runId, query);
  }

  /** Cancels an active run. Committed slices stay; the next run reads the rest. */
  @Post(':runId/cancel')
  @HttpCode(202)
  @RequirePermission('runs.start')
  @Answers('run.not_active', 'run.of_backfill')
  async cancelRun(@CurrentActor() actor: Actor, @Param('runId', ParseUUIDPipe) runId: string): Promise<RunSummary> {
    await this.sync.cancel(actor.organizationId, runId);
    return this.queries.getRunSummary(actor.organizationId, runId);
  }
}
