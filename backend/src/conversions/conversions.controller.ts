import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import {
  ConversionEntry,
  ConversionPage,
  ConversionRunPage,
  CreateConversionBody,
  UpdateConversionBody,
} from './conversions.dto.js';
import { ConversionsQueries } from './conversions.queries.js';
import { ConversionsService } from './conversions.service.js';

@ApiTags('Conversions')
@Controller('api/v1/organizations/:organizationId/conversions')
export class ConversionsController {
  constructor(
    private readonly conversions: ConversionsService,
    private readonly queries: ConversionsQueries,
  ) {}

  /** Lists conversions, oldest first. */
  @Get()
  @RequirePermission('conversions.read')
  listConversions(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<ConversionPage> {
    return this.queries.listConversions(actor.organizationId, query);
  }

  /** Creates a conversion. Its first run starts automatically. */
  @Post()
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @Answers('provider.not_set_up')
  async createConversion(@CurrentActor() actor: Actor, @Body() body: CreateConversionBody): Promise<ConversionEntry> {
    return this.queries.getConversion(actor.organizationId, await this.conversions.create(actor, body));
  }

  /** Returns one conversion. */
  @Get(':conversionId')
  @RequirePermission('conversions.read')
  getConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionEntry> {
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Changes a conversion. Events that were read before keep their payload. */
  @Patch(':conversionId')
  @RequirePermission('conversions.write')
  @Answers('conflict.version', 'provider.not_set_up')
  async updateConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
    @Body() body: UpdateConversionBody,
  ): Promise<ConversionEntry> {
    await this.conversions.update(actor, conversionId, body);
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Deletes a conversion. It can be restored for 30 days. Nothing changes at the ad platform. */
  @Delete(':conversionId')
  @HttpCode(204)
  @RequirePermission('conversions.write')
  deleteConversion(@CurrentActor() actor: Actor, @Param('conversionId', ParseUUIDPipe) conversionId: string): Promise<void> {
    return this.conversions.delete(actor, conversionId);
  }

  /** Restores a conversion within 30 days after its deletion. Events that it missed are sent if they are not too old. */
  @Post(':conversionId/restore')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @Answers('conversion.parts_gone')
  async restoreConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionEntry> {
    await this.conversions.restore(actor, conversionId);
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Starts a run now. Runs of a conversion never overlap. */
  @Post(':conversionId/run')
  @HttpCode(202)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @Answers('conversion.paused')
  async runConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionEntry> {
    await this.conversions.run(actor, conversionId);
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Stops reading and sending. Events that wait are sent after the conversion is resumed, if they are not too old then. */
  @Post(':conversionId/pause')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  async pauseConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionEntry> {
    await this.conversions.pause(actor, conversionId);
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Resumes a paused conversion. A run starts immediately. */
  @Post(':conversionId/resume')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  async resumeConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionEntry> {
    await this.conversions.resume(actor, conversionId);
    return this.queries.getConversion(actor.organizationId, conversionId);
  }

  /** Lists the runs of a conversion, newest first. */
  @Get(':conversionId/runs')
  @RequirePermission('conversions.read')
  listConversionRuns(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
    @Query() query: PageQuery,
  ): Promise<ConversionRunPage> {
    return this.queries.listRuns(actor.organizationId, conversionId, query);
  }
}
