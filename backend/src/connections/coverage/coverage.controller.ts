import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { Completeness, CoverageAnswer, CoverageQuery, DailyAnswer, DailyQuery } from './coverage.dto.js';
import { ConnectionsQueries } from '../connections.queries.js';
import { CoverageQueries } from './coverage.queries.js';
import { DailyQueries } from './daily.queries.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId')
export class CoverageController {
  constructor(
    private readonly connections: ConnectionsQueries,
    private readonly coverage: CoverageQueries,
    private readonly daily: DailyQueries,
  ) {}

  /** Returns the loaded days of a stream by account. */
  @Get('coverage')
  @RequirePermission('connections.read')
  async getCoverage(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: CoverageQuery,
  ): Promise<CoverageAnswer> {
    return this.coverage.getCoverage(organizationId, await this.connections.getConnection(organizationId, connectionId), query);
  }

  /** Returns whether every account-day of the history was loaded. */
  @Get('completeness')
  @RequirePermission('connections.read')
  async getCompleteness(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<Completeness> {
    return this.coverage.getCompleteness(organizationId, await this.connections.getConnection(organizationId, connectionId));
  }

  /** Returns rows and cost of each day, over all accounts, with the cost by currency. */
  @Get('daily')
  @RequirePermission('connections.read')
  async getDaily(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: DailyQuery,
  ): Promise<DailyAnswer> {
    return this.daily.getDaily(organizationId, await this.connections.getConnection(organizationId, connectionId), query);
  }
}
