import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, assertAllowed, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { CreateSourceBody, SourceEntry, SourcePage, SourceWindows, UpdateSourceBody, WindowsQuery } from './sources.dto.js';
import { SourcesQueries } from './sources.queries.js';
import { SourcesService } from './sources.service.js';
import { SourceWindowsService } from './source-windows.service.js';

@ApiTags('Sources')
@Controller('api/v1/organizations/:organizationId/sources')
export class SourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly queries: SourcesQueries,
    private readonly windows: SourceWindowsService,
  ) {}

  /** Lists sources, oldest first. */
  @Get()
  @RequirePermission('sources.read')
  listSources(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<SourcePage> {
    return this.queries.listSources(actor.organizationId, query);
  }

  /** Creates a source from accounts of a connected app. */
  @Post()
  @RequirePermission('sources.write')
  @RequireSubscription()
  @Answers('app.not_connected', 'source.unknown_account', 'provider.not_set_up')
  async createSource(@CurrentActor() actor: Actor, @Body() body: CreateSourceBody): Promise<SourceEntry> {
    return this.queries.getSource(actor.organizationId, await this.sources.create(actor, body));
  }

  /** Returns one source. */
  @Get(':sourceId')
  @RequirePermission('sources.read')
  getSource(@CurrentActor() actor: Actor, @Param('sourceId', ParseUUIDPipe) sourceId: string): Promise<SourceEntry> {
    return this.queries.getSource(actor.organizationId, sourceId);
  }

  /**
   * Changes a source, effective from the next run. A level or breakdown whose streams are used by connections cannot be removed.
   */
  @Patch(':sourceId')
  @RequirePermission('sources.write')
  @Answers('conflict.version', 'source.streams_in_use', 'app.not_connected', 'source.unknown_account')
  async updateSource(
    @CurrentActor() actor: Actor,
    @Param('sourceId', ParseUUIDPipe) sourceId: string,
    @Body() body: UpdateSourceBody,
  ): Promise<SourceEntry> {
    await this.sources.update(actor, sourceId, body);
    return this.queries.getSource(actor.organizationId, sourceId);
  }

  /**
   * Lists the lookback window of each account: the value that is used if none is set. A request to the platform requires the role
   * editor and counts against the daily budget.
   */
  @Get(':sourceId/windows')
  @RequirePermission('sources.read')
  @Answers('provider.budget_used')
  listSourceWindows(
    @CurrentActor() actor: Actor,
    @Param('sourceId', ParseUUIDPipe) sourceId: string,
    @Query() query: WindowsQuery,
  ): Promise<SourceWindows> {
    if (query.refresh !== 'true') return this.windows.read(actor.organizationId, sourceId);
    assertAllowed(actor, 'sources.write');
    return this.windows.refresh(actor.organizationId, sourceId);
  }

  /** Deletes a source that no connection uses. It can be restored for 30 days. */
  @Delete(':sourceId')
  @HttpCode(204)
  @RequirePermission('sources.write')
  @Answers('source.in_use')
  deleteSource(@CurrentActor() actor: Actor, @Param('sourceId', ParseUUIDPipe) sourceId: string): Promise<void> {
    return this.sources.delete(actor, sourceId);
  }

  /** Restores a source within 30 days after its deletion. */
  @Post(':sourceId/restore')
  @HttpCode(200)
  @RequirePermission('sources.write')
  @RequireSubscription()
  @Answers('source.app_gone')
  async restoreSource(@CurrentActor() actor: Actor, @Param('sourceId', ParseUUIDPipe) sourceId: string): Promise<SourceEntry> {
    await this.sources.restore(actor, sourceId);
    return this.queries.getSource(actor.organizationId, sourceId);
  }
}
