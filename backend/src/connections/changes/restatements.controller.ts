import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { ConnectionsQueries } from '../connections.queries.js';
import { RestatementPage, RestatementsQuery, SettlingQuery, SettlingTimes } from './restatements.dto.js';
import { RestatementsQueries } from './restatements.queries.js';
import { SettlingTimesQueries } from './settling-times.queries.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/restatements')
export class RestatementsController {
  constructor(
    private readonly connections: ConnectionsQueries,
    private readonly restatements: RestatementsQueries,
    private readonly settling: SettlingTimesQueries,
  ) {}

  /** Lists the days that changed after their first load, newest day first, with their sums then and now. */
  @Get()
  @RequirePermission('connections.read')
  async listRestatements(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: RestatementsQuery,
  ): Promise<RestatementPage> {
    const connection = await this.connections.getConnection(organizationId, connectionId);
    return this.restatements.listRestatements(organizationId, connection, query);
  }

  /** Returns after how many days each metric of each account no longer changed. */
  @Get('settling')
  @RequirePermission('connections.read')
  async getSettlingTimes(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() { stream }: SettlingQuery,
  ): Promise<SettlingTimes> {
    const connection = await this.connections.getConnection(organizationId, connectionId);
    return this.settling.getSettlingTimes(organizationId, connection, stream);
  }
}
