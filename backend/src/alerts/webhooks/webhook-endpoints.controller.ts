import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CountedAs, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import {
  CreateWebhookBody,
  UpdateWebhookBody,
  WebhookDeliveryEntry,
  WebhookDeliveryPage,
  WebhookEndpointEntry,
  WebhookEndpointPage,
  WebhookWithSecret,
} from './webhook-endpoints.dto.js';
import { WebhookEndpointsQueries } from './webhook-endpoints.queries.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@ApiTags('Webhooks')
@Controller('api/v1/organizations/:organizationId/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly webhooks: WebhookEndpointsService,
    private readonly queries: WebhookEndpointsQueries,
  ) {}

  /** Lists webhooks, oldest first. */
  @Get()
  @RequirePermission('webhooks.read')
  listWebhooks(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<WebhookEndpointPage> {
    return this.queries.listEndpoints(actor.organizationId, query);
  }

  /** Creates a webhook with a rule that sends all alerts to it, and returns its signing secret once. */
  @Post()
  @RequirePermission('webhooks.write')
  @CountedAs('check')
  @Answers('webhook.limit_reached')
  async createWebhook(@CurrentActor() actor: Actor, @Body() body: CreateWebhookBody): Promise<WebhookWithSecret> {
    const { id, secret } = await this.webhooks.create(actor, body);
    return { endpoint: await this.queries.getEndpoint(actor.organizationId, id), secret };
  }

  /** Returns a webhook. */
  @Get(':endpointId')
  @RequirePermission('webhooks.read')
  getWebhook(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
  ): Promise<WebhookEndpointEntry> {
    return this.queries.getEndpoint(actor.organizationId, endpointId);
  }

  /** Changes a webhook. A webhook that was disabled because of failures is enabled with `isEnabled`. */
  @Patch(':endpointId')
  @RequirePermission('webhooks.write')
  @CountedAs('check')
  @Answers('conflict.version')
  async updateWebhook(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
    @Body() body: UpdateWebhookBody,
  ): Promise<WebhookEndpointEntry> {
    await this.webhooks.update(actor, endpointId, body);
    return this.queries.getEndpoint(actor.organizationId, endpointId);
  }

  /** Deletes a webhook with its rules. It can be restored for 30 days. */
  @Delete(':endpointId')
  @HttpCode(204)
  @RequirePermission('webhooks.write')
  deleteWebhook(@CurrentActor() actor: Actor, @Param('endpointId', ParseUUIDPipe) endpointId: string): Promise<void> {
    return this.webhooks.delete(actor, endpointId);
  }

  /**
   * Restores a webhook within 30 days after its deletion, with its signing secret, its log and the rules that were deleted with it. What
   * it missed is not sent.
   */
  @Post(':endpointId/restore')
  @HttpCode(200)
  @RequirePermission('webhooks.write')
  @Answers('webhook.limit_reached')
  async restoreWebhook(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
  ): Promise<WebhookEndpointEntry> {
    await this.webhooks.restore(actor, endpointId);
    return this.queries.getEndpoint(actor.organizationId, endpointId);
  }

  /** Replaces the signing secret and returns the new one once. The previous secret signs too for one day. */
  @Post(':endpointId/rotate-secret')
  @HttpCode(200)
  @RequirePermission('webhooks.write')
  async rotateWebhookSecret(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
  ): Promise<WebhookWithSecret> {
    const secret = await this.webhooks.rotateSecret(actor, endpointId);
    return { endpoint: await this.queries.getEndpoint(actor.organizationId, endpointId), secret };
  }

  /** Queues a test event. */
  @Post(':endpointId/test')
  @HttpCode(202)
  @RequirePermission('webhooks.write')
  @CountedAs('check')
  @Answers('webhook.disabled')
  async testWebhook(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
  ): Promise<WebhookDeliveryEntry> {
    const deliveryId = await this.webhooks.sendTest(actor, endpointId);
    return this.queries.getDelivery(actor.organizationId, endpointId, deliveryId);
  }

  /** Lists deliveries of the last 30 days, newest first. */
  @Get(':endpointId/deliveries')
  @RequirePermission('webhooks.read')
  listWebhookDeliveries(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
    @Query() query: PageQuery,
  ): Promise<WebhookDeliveryPage> {
    return this.queries.listDeliveries(actor.organizationId, endpointId, query);
  }

  /** Queues a delivery again, with the same `webhook-id`. */
  @Post(':endpointId/deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @RequirePermission('webhooks.write')
  @CountedAs('check')
  @Answers('webhook.disabled')
  async redeliverWebhook(
    @CurrentActor() actor: Actor,
    @Param('endpointId', ParseUUIDPipe) endpointId: string,
    @Param('deliveryId', ParseUUIDPipe) deliveryId: string,
  ): Promise<WebhookDeliveryEntry> {
    await this.webhooks.redeliver(actor, endpointId, deliveryId);
    return this.queries.getDelivery(actor.organizationId, endpointId, deliveryId);
  }
}
