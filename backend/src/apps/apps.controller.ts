import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, assertAllowed, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import {
  AccountList,
  AccountsQuery,
  AppEntry,
  AppPage,
  AppsQuery,
  CreateAppBody,
  EnterAppKeyBody,
  UpdateAppBody,
  UpdateSourceDefaultsBody,
} from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { AppsService } from './apps.service.js';
import { EnterKey } from './credentials/enter-key.js';
import { ProbeApp } from './probe-app.js';
import { SourceDefaultsService } from './source-defaults.js';

@ApiTags('Apps')
@Controller('api/v1/organizations/:organizationId/apps')
export class AppsController {
  constructor(
    private readonly apps: AppsService,
    private readonly probing: ProbeApp,
    private readonly queries: AppsQueries,
    private readonly defaults: SourceDefaultsService,
    private readonly keys: EnterKey,
  ) {}

  /** Lists apps, oldest first. */
  @Get()
  @RequirePermission('apps.read')
  listApps(@CurrentActor() actor: Actor, @Query() query: AppsQuery): Promise<AppPage> {
    return this.queries.listApps(actor.organizationId, query);
  }

  /** Creates a draft app. Connect it with oauth/start, or a custom app with push/rotate-key. A Stripe app is connected at once. */
  @Post()
  @RequirePermission('apps.write')
  @RequireSubscription()
  @Answers('app.custom_limit', 'provider.failed', 'provider.unavailable', 'provider.budget_used')
  async createApp(@CurrentActor() actor: Actor, @Body() body: CreateAppBody): Promise<AppEntry> {
    return this.queries.getApp(actor.organizationId, await this.apps.create(actor, body));
  }

  /** Replaces the key of a Stripe app with another one of the same account. Everything that waited for it resumes. */
  @Post(':appId/credentials')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  @Answers('provider.failed', 'provider.unavailable', 'provider.budget_used')
  async enterAppKey(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() { credentials }: EnterAppKeyBody,
  ): Promise<AppEntry> {
    await this.keys.replace(actor, appId, credentials);
    return this.queries.getApp(actor.organizationId, appId);
  }

  /** Returns one app. */
  @Get(':appId')
  @RequirePermission('apps.read')
  getApp(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<AppEntry> {
    return this.queries.getApp(actor.organizationId, appId);
  }

  /** Renames an app. */
  @Patch(':appId')
  @RequirePermission('apps.write')
  @Answers('conflict.version')
  async updateApp(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: UpdateAppBody,
  ): Promise<AppEntry> {
    await this.apps.update(actor, appId, body);
    return this.queries.getApp(actor.organizationId, appId);
  }

  /** Sets the defaults of new sources of an app. Existing sources do not change. */
  @Patch(':appId/source-defaults')
  @RequirePermission('apps.write')
  @Answers('conflict.version')
  async updateSourceDefaults(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: UpdateSourceDefaultsBody,
  ): Promise<AppEntry> {
    await this.defaults.update(actor, appId, body);
    return this.queries.getApp(actor.organizationId, appId);
  }

  /** Permanently deletes an unused app: revokes its access at the provider and erases its credentials. */
  @Delete(':appId')
  @HttpCode(204)
  @RequirePermission('apps.write')
  @Answers('app.in_use')
  deleteApp(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<void> {
    return this.apps.delete(actor, appId);
  }

  /** Lists the ad accounts of the app. A request to the provider requires the role editor and counts against the daily budget. */
  @Get(':appId/accounts')
  @RequirePermission('apps.read')
  @Answers('app.not_connected', 'provider.failed', 'provider.unavailable', 'provider.budget_used')
  async listAppAccounts(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Query() query: AccountsQuery,
  ): Promise<AccountList> {
    if (query.refresh === 'true') {
      assertAllowed(actor, 'sources.write');
      await this.probing.relistAccounts(actor.organizationId, appId);
    }
    return this.queries.getAccounts(actor.organizationId, appId);
  }

  /** Checks at the provider whether the app still works. */
  @Post(':appId/probe')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @Answers('app.not_connected', 'provider.failed', 'provider.unavailable', 'provider.budget_used')
  async probeApp(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<AppEntry> {
    await this.probing.probeNow(actor.organizationId, appId);
    return this.queries.getApp(actor.organizationId, appId);
  }
}
