import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { ConnectionReconciliation, Reconciliations } from '../../sync/index.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId/reconciliation')
export class ReconciliationsController {
  constructor(private readonly reconciliations: Reconciliations) {}

  /** Returns the last comparison of the loaded days with the platform's totals, and the active one. */
  @Get()
  @RequirePermission('connections.read')
  getConnectionReconciliation(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionReconciliation> {
    return this.reconciliations.find(organizationId, connectionId);
  }

  /** Queues a reconciliation: compares loaded days with the platform's totals and loads lost and restated days again. */
  @Post()
  @HttpCode(202)
  @RequirePermission('runs.start')
  @RequireSubscription()
  @Answers('connection.not_reconciled')
  reconcileConnection(
    @CurrentActor() { organizationId, uid }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionReconciliation> {
    return this.reconciliations.request(organizationId, connectionId, uid);
  }
}
