import { Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription, RequireVerifiedEmail } from '../access/index.js';
import { PageQuery } from '../core/http/page.dto.js';
import { AppEventPage, AppImpact, NewShareLink } from './app-use.dto.js';
import { AppUseQueries } from './app-use.queries.js';
import { AppEntry } from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { DisconnectApp } from './disconnect-app.js';
import { ShareApp } from './share-links/share-app.js';

@ApiTags('Apps')
@Controller('api/v1/organizations/:organizationId/apps/:appId')
export class AppUseController {
  constructor(
    private readonly apps: AppsQueries,
    private readonly queries: AppUseQueries,
    private readonly disconnecting: DisconnectApp,
    private readonly sharing: ShareApp,
  ) {}

  /** Lists what stops when the app is disconnected. */
  @Get('impact')
  @RequirePermission('apps.read')
  getAppImpact(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<AppImpact> {
    return this.queries.getImpact(actor.organizationId, appId);
  }

  /** Lists events of the app, newest first. They are stored for 90 days. */
  @Get('history')
  @RequirePermission('apps.read')
  listAppHistory(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Query() query: PageQuery,
  ): Promise<AppEventPage> {
    return this.queries.listHistory(actor.organizationId, appId, query);
  }

  /**
   * Revokes the access at the platform and erases the credentials. Sources, destinations and connections are kept and resume
   * after a reconnect.
   */
  @Post('disconnect')
  @HttpCode(200)
  @RequirePermission('apps.write')
  async disconnectApp(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<AppEntry> {
    await this.disconnecting.disconnect(actor, appId);
    return this.apps.getApp(actor.organizationId, appId);
  }

  /**
   * Creates a link by which a person without an account can reconnect this app once within 24 hours. Revokes the previous link.
   */
  @Post('share-link')
  @RequirePermission('apps.write')
  @RequireSubscription()
  @RequireVerifiedEmail()
  shareApp(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<NewShareLink> {
    return this.sharing.share(actor, appId);
  }

  /** Revokes an open link. */
  @Delete('share-link')
  @HttpCode(204)
  @RequirePermission('apps.write')
  takeBackShareLink(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<void> {
    return this.sharing.revoke(actor, appId);
  }
}
