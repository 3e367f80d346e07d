import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import { ApiKeyPage, CreateApiKeyBody, CreatedApiKey } from './api-keys.dto.js';
import { ApiKeysQueries } from './api-keys.queries.js';
import { ApiKeysService } from './api-keys.service.js';

@ApiTags('API keys')
@Controller('api/v1/organizations/:organizationId/api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly queries: ApiKeysQueries,
  ) {}

  /** Lists keys that are not revoked, oldest first. */
  @Get()
  @RequirePermission('apiKeys.read')
  listApiKeys(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<ApiKeyPage> {
    return this.queries.listApiKeys(actor.organizationId, query);
  }

  /** Creates a key and returns it once. It never has more permissions than its creator, and is revoked when the creator leaves. */
  @Post()
  @RequirePermission('apiKeys.write')
  @Answers('api_key.limit_reached')
  async createApiKey(@CurrentActor() actor: Actor, @Body() body: CreateApiKeyBody): Promise<CreatedApiKey> {
    const { id, key } = await this.apiKeys.create(actor, body);
    return { apiKey: await this.queries.getApiKey(actor.organizationId, id), key };
  }

  /** Revokes a key immediately. */
  @Delete(':keyId')
  @HttpCode(204)
  @RequirePermission('apiKeys.write')
  deleteApiKey(@CurrentActor() actor: Actor, @Param('keyId', ParseUUIDPipe) keyId: string): Promise<void> {
    return this.apiKeys.revoke(actor, keyId);
  }
}
