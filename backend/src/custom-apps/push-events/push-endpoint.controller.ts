import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { NewPushKey, PushEndpointEntry, PushReceiptList, UpdatePushEndpointBody } from './push-endpoint.dto.js';
import { PushEndpointQueries } from './push-endpoint.queries.js';
import { PushEndpointService } from './push-endpoint.service.js';

@ApiTags('Custom apps')
@Controller('api/v1/organizations/:organizationId/apps/:appId/push')
export class PushEndpointController {
  constructor(
    private readonly endpoints: PushEndpointService,
    private readonly queries: PushEndpointQueries,
  ) {}

  /** Returns the push endpoint of a custom app. */
  @Get()
  @RequirePermission('apps.read')
  getPushEndpoint(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushEndpointEntry> {
    return this.queries.getEndpoint(actor.organizationId, appId);
  }

  /** Sets the schema of events and the field that identifies them. */
  @Patch()
  @RequirePermission('apps.write')
  @Answers('conflict.version')
  async updatePushEndpoint(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: UpdatePushEndpointBody,
  ): Promise<PushEndpointEntry> {
    await this.endpoints.update(actor, appId, body);
    return this.queries.getEndpoint(actor.organizationId, appId);
  }

  /** Creates a key and shows it once. The previous key is rejected from now on. */
  @Post('rotate-key')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  async rotatePushKey(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<NewPushKey> {
    const key = await this.endpoints.rotateKey(actor, appId);
    return { key, endpoint: await this.queries.getEndpoint(actor.organizationId, appId) };
  }

  /** Revokes the key: no event is accepted until a new key is created. Stored events are kept. */
  @Post('revoke-key')
  @HttpCode(200)
  @RequirePermission('apps.write')
  async revokePushKey(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushEndpointEntry> {
    await this.endpoints.revokeKey(actor, appId);
    return this.queries.getEndpoint(actor.organizationId, appId);
  }

  /** Lists the last 20 payloads and their outcomes, newest first. */
  @Get('receipts')
  @RequirePermission('apps.read')
  listPushReceipts(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushReceiptList> {
    return this.queries.listReceipts(actor.organizationId, appId);
  }
}
