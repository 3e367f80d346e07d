import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CountedAs, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import {
  CheckDestinationBody,
  CreateDestinationBody,
  DestinationCheck,
  DestinationEntry,
  DestinationPage,
  DestinationTables,
  TestEvent,
  UpdateDestinationBody,
} from './destinations.dto.js';
import { DestinationTablesQueries } from './destination-tables.queries.js';
import { DestinationsQueries } from './destinations.queries.js';
import { DestinationsService } from './destinations.service.js';

@ApiTags('Destinations')
@Controller('api/v1/organizations/:organizationId/destinations')
export class DestinationsController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly queries: DestinationsQueries,
    private readonly tables: DestinationTablesQueries,
  ) {}

  /** Lists destinations, oldest first. */
  @Get()
  @RequirePermission('destinations.read')
  listDestinations(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<DestinationPage> {
    return this.queries.listDestinations(actor.organizationId, query);
  }

  /**
   * Checks settings without saving them. Failed items are part of a normal response. 422 `destination.credentials_required` if
   * stored credentials are requested for another server or project than they were stored for.
   */
  @Post('check')
  @HttpCode(200)
  @RequirePermission('destinations.write')
  @CountedAs('check')
  @Answers('app.not_connected', 'destination.credentials_required')
  checkDestinationSettings(@CurrentActor() actor: Actor, @Body() body: CheckDestinationBody): Promise<DestinationCheck> {
    return this.destinations.check(actor, body);
  }

  /** Checks the settings, then saves them. 422 `destination.check_failed` with the items if they fail; nothing is saved then. */
  @Post()
  @RequirePermission('destinations.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers('destination.check_failed', 'destination.credentials_required', 'app.not_connected')
  async createDestination(@CurrentActor() actor: Actor, @Body() body: CreateDestinationBody): Promise<DestinationEntry> {
    return this.queries.getDestination(actor.organizationId, await this.destinations.create(actor, body));
  }

  /** Returns one destination. */
  @Get(':destinationId')
  @RequirePermission('destinations.read')
  getDestination(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
  ): Promise<DestinationEntry> {
    return this.queries.getDestination(actor.organizationId, destinationId);
  }

  /**
   * Changes a destination once the new settings pass the check. A change of the server that receives the credentials (for a
   * database: host, port, database, user or encryption) requires the credentials again: 422 `destination.credentials_required`.
   */
  @Patch(':destinationId')
  @RequirePermission('destinations.write')
  @CountedAs('check')
  @Answers('conflict.version', 'destination.check_failed', 'destination.credentials_required', 'app.not_connected')
  async updateDestination(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
    @Body() body: UpdateDestinationBody,
  ): Promise<DestinationEntry> {
    await this.destinations.update(actor, destinationId, body);
    return this.queries.getDestination(actor.organizationId, destinationId);
  }

  /** Deletes a destination that no connection uses. It can be restored for 30 days. Existing tables are not changed. */
  @Delete(':destinationId')
  @HttpCode(204)
  @RequirePermission('destinations.write')
  @Answers('destination.in_use')
  deleteDestination(@CurrentActor() actor: Actor, @Param('destinationId', ParseUUIDPipe) destinationId: string): Promise<void> {
    return this.destinations.delete(actor, destinationId);
  }

  /** Restores a destination and its credentials within 30 days after its deletion. */
  @Post(':destinationId/restore')
  @HttpCode(200)
  @RequirePermission('destinations.write')
  @RequireSubscription()
  @Answers('destination.app_gone')
  async restoreDestination(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
  ): Promise<DestinationEntry> {
    await this.destinations.restore(actor, destinationId);
    return this.queries.getDestination(actor.organizationId, destinationId);
  }

  /** Lists the tables or events that connections write, with their loaded rows. */
  @Get(':destinationId/tables')
  @RequirePermission('destinations.read')
  listDestinationTables(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
  ): Promise<DestinationTables> {
    return this.tables.listTables(actor.organizationId, destinationId);
  }

  /** Sends one visible test event if the destination accepts events; otherwise the item is marked as skipped. */
  @Post(':destinationId/test-event')
  @HttpCode(200)
  @RequirePermission('destinations.write')
  @CountedAs('check')
  @Answers(
    'app.not_connected',
    'destination.credentials_required',
    'provider.failed',
    'provider.unavailable',
    'provider.budget_used',
  )
  async sendTestEvent(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
  ): Promise<TestEvent> {
    return { items: [await this.destinations.sendTest(actor.organizationId, destinationId)] };
  }

  /** Checks a saved destination now. */
  @Post(':destinationId/check')
  @HttpCode(200)
  @RequirePermission('destinations.write')
  @CountedAs('check')
  @Answers('app.not_connected', 'destination.credentials_required')
  async recheckDestination(
    @CurrentActor() actor: Actor,
    @Param('destinationId', ParseUUIDPipe) destinationId: string,
  ): Promise<DestinationEntry> {
    await this.destinations.recheck(actor, destinationId);
    return this.queries.getDestination(actor.organizationId, destinationId);
  }
}
