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

  /** Where a custom app takes events, and what it expects of them. */
  @Get()
  @RequirePermission('apps.read')
  getPushEndpoint(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushEndpointEntry> {
    return this.queries.getEndpoint(actor.organizationId, appId);
  }

  /** Sets the schema of events and the field that names them. */
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

  /** Makes a key and shows it this once; the one before is refused from now on. */
  @Post('rotate-key')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  async rotatePushKey(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<NewPushKey> {
    const key = await this.endpoints.rotateKey(actor, appId);
    return { key, endpoint: await this.queries.getEndpoint(actor.organizationId, appId) };
  }

  /** Revokes the key: nothing is taken until there is another. Events that were taken stay. */
  @Post('revoke-key')
  @HttpCode(200)
  @RequirePermission('apps.write')
  async revokePushKey(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushEndpointEntry> {
    await this.endpoints.revokeKey(actor, appId);
    return this.queries.getEndpoint(actor.organizationId, appId);
  }

  /** The last 20 payloads and what became of each, newest first. */
  @Get('receipts')
  @RequirePermission('apps.read')
  listPushReceipts(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<PushReceiptList> {
    return this.queries.listReceipts(actor.organizationId, appId);
  }
}
