import { Global, Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsQueries } from './alerts.queries.js';
import { Alerts } from './alerts.service.js';
import { NotifyAlert } from './notify/notify-alert.js';
import { NotificationRulesController } from './rules/notification-rules.controller.js';
import { NotificationRulesQueries } from './rules/notification-rules.queries.js';
import { NotificationRulesService } from './rules/notification-rules.service.js';
import { WeeklySummary } from './summary/weekly-summary.js';
import { DeliverWebhooks } from './webhooks/deliver-webhooks.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { WebhookEndpointsQueries } from './webhooks/webhook-endpoints.queries.js';
import { WebhookEndpointsService } from './webhooks/webhook-endpoints.service.js';
import { WebhookMetrics } from './webhooks/webhook-metrics.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';

/** Global, because several modules open and end alerts. */
@Global()
@Module({
  imports: [AccessModule],
  controllers: [AlertsController, NotificationRulesController, WebhookEndpointsController],
  providers: [
    ...[Alerts, AlertsQueries, NotifyAlert, WeeklySummary],
    ...[NotificationRulesService, NotificationRulesQueries],
    ...[WebhookEndpointsService, WebhookEndpointsQueries, WebhookSecrets, DeliverWebhooks, WebhookMetrics],
  ],
  exports: [Alerts, WebhookEndpointsService],
})
export class AlertsModule {}
