import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { AlertEntry, AlertPage, AlertsQuery } from './alerts.dto.js';
import { AlertsQueries } from './alerts.queries.js';
import { Alerts } from './alerts.service.js';

@ApiTags('Alerts')
@Controller('api/v1/organizations/:organizationId/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: Alerts,
    private readonly queries: AlertsQueries,
  ) {}

  /** Lists alerts, newest first. */
  @Get()
  @RequirePermission('alerts.read')
  listAlerts(@CurrentActor() actor: Actor, @Query() query: AlertsQuery): Promise<AlertPage> {
    return this.queries.listAlerts(actor.organizationId, query);
  }

  /** Acknowledges an alert. It no longer counts in the badge, and recovers automatically when its cause ends. */
  @Post(':alertId/acknowledge')
  @HttpCode(200)
  @RequirePermission('alerts.write')
  async acknowledgeAlert(@CurrentActor() actor: Actor, @Param('alertId', ParseUUIDPipe) alertId: string): Promise<AlertEntry> {
    await this.alerts.acknowledge(actor, alertId);
    return this.queries.getAlert(actor.organizationId, alertId);
  }
}
