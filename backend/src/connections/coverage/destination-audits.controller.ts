import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { ConnectionAudit, DestinationAudits } from '../../sync/index.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/audit')
export class DestinationAuditsController {
  constructor(private readonly audits: DestinationAudits) {}

  /** Returns the last comparison of the destination with the loaded data, and the active one. */
  @Get()
  @RequirePermission('connections.read')
  getConnectionAudit(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionAudit> {
    return this.audits.find(organizationId, connectionId);
  }

  /** Queues an audit: compares the rows at the destination with the loaded rows and loads days that differ again. */
  @Post()
  @HttpCode(202)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('connection.not_audited')
  auditConnection(
    @CurrentActor() { organizationId, uid }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionAudit> {
    return this.audits.request(organizationId, connectionId, uid);
  }
}
