import { Body, Controller, Delete, Get, Header, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { RunSummary, SyncService } from '../sync/index.js';
import {
  ConnectionEntry,
  ConnectionPage,
  ConnectionsQuery,
  CreateConnectionBody,
  EstimateBody,
  UpdateConnectionBody,
} from './connections.dto.js';
import { CloneConnectionBody } from './clone.dto.js';
import { Estimate } from './estimate.dto.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ConnectionsService } from './connections.service.js';
import { EstimateConnection } from './estimate-connection.js';
import { ConnectionPages } from './list/connection-pages.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly queries: ConnectionsQueries,
    private readonly pages: ConnectionPages,
    private readonly estimates: EstimateConnection,
    private readonly sync: SyncService,
  ) {}

  /** Lists connections, worst health first, with the number of connections by health. */
  @Get()
  @RequirePermission('connections.read')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOkResponse({ type: ConnectionPage })
  listConnections(@CurrentActor() actor: Actor, @Query() query: ConnectionsQuery): Promise<string> {
    return this.pages.read(actor.organizationId, query);
  }

  /** Creates a connection. Its first run starts automatically. */
  @Post()
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers(
    'connection.unknown_stream',
    'connection.unknown_column',
    'connection.needed_column',
    'connection.unhashable_column',
    'connection.history_gone',
    'connection.fields_differ',
    'subscription.limit_reached',
  )
  async createConnection(@CurrentActor() actor: Actor, @Body() body: CreateConnectionBody): Promise<ConnectionEntry> {
    return this.queries.getConnection(actor.organizationId, await this.connections.create(actor, body));
  }

  /**
   * Returns the cost of a connection, its first rows and its checks. Reads 7 days of data, which counts against the daily budget.
   * The result of the read is reused for ten minutes.
   */
  @Post('estimate')
  @HttpCode(200)
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers(
    'connection.unknown_stream',
    'connection.unknown_column',
    'connection.needed_column',
    'connection.unhashable_column',
    'connection.fields_differ',
    'app.not_connected',
    'destination.credentials_required',
    'provider.failed',
    'provider.unavailable',
    'provider.budget_used',
  )
  estimateConnection(@CurrentActor() actor: Actor, @Body() body: EstimateBody): Promise<Estimate> {
    return this.estimates.estimate(actor.organizationId, body);
  }

  /** Returns one connection. */
  @Get(':connectionId')
  @RequirePermission('connections.read')
  getConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionEntry> {
    return this.queries.getConnection(actor.organizationId, connectionId);
  }

  /** Changes a connection, effective from the next run. */
  @Patch(':connectionId')
  @RequirePermission('connections.write')
  @Answers(
    'conflict.version',
    'connection.unknown_stream',
    'connection.unknown_column',
    'connection.needed_column',
    'connection.unhashable_column',
    'connection.history_gone',
    'connection.fields_differ',
  )
  async updateConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: UpdateConnectionBody,
  ): Promise<ConnectionEntry> {
    await this.connections.update(actor, connectionId, body);
    return this.queries.getConnection(actor.organizationId, connectionId);
  }

  /** Deletes a connection. It can be restored for 30 days. Loaded rows stay at the destination. */
  @Delete(':connectionId')
  @HttpCode(204)
  @RequirePermission('connections.write')
  deleteConnection(@CurrentActor() actor: Actor, @Param('connectionId', ParseUUIDPipe) connectionId: string): Promise<void> {
    return this.connections.delete(actor, connectionId);
  }

  /** Restores a connection within 30 days after its deletion and loads the missed days. */
  @Post(':connectionId/restore')
  @HttpCode(200)
  @Answers('connection.parts_gone', 'connection.fields_differ', 'subscription.limit_reached')
  @RequirePermission('connections.write')
  @RequireSubscription()
  async restoreConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionEntry> {
    await this.connections.restore(actor, connectionId);
    return this.queries.getConnection(actor.organizationId, connectionId);
  }

  /** Creates a copy with the same settings. It is paused, so that it loads nothing before it is resumed. */
  @Post(':connectionId/clone')
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers('connection.fields_differ', 'subscription.limit_reached')
  async cloneConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: CloneConnectionBody,
  ): Promise<ConnectionEntry> {
    return this.queries.getConnection(actor.organizationId, await this.connections.clone(actor, connectionId, body));
  }

  /** Queues a run. Runs never overlap: if one is active, it is returned. */
  @Post(':connectionId/run')
  @HttpCode(202)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('connection.paused')
  async runConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<RunSummary> {
    return this.sync.getSummary(actor.organizationId, await this.connections.run(actor, connectionId));
  }

  /** Stops the schedule and any active run. */
  @Post(':connectionId/pause')
  @HttpCode(200)
  @RequirePermission('connections.write')
  async pauseConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionEntry> {
    await this.connections.pause(actor, connectionId);
    return this.queries.getConnection(actor.organizationId, connectionId);
  }

  /** Resumes the schedule and loads the missed days. */
  @Post(':connectionId/resume')
  @HttpCode(200)
  @RequirePermission('connections.write')
  @RequireSubscription()
  async resumeConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionEntry> {
    await this.connections.resume(actor, connectionId);
    return this.queries.getConnection(actor.organizationId, connectionId);
  }
}
