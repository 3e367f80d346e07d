import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CountedAs, CurrentActor, RequirePermission, RequireSubscription } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { ExportConfiguration } from './export-configuration.js';
import { ConfigurationFile } from './file/configuration-file.dto.js';
import { ImportConfiguration } from './import-configuration.js';
import { ApplyQuery, ConfigurationPlan, ImportResult } from './plan/plan.dto.js';

@ApiTags('Configuration')
@Controller('api/v1/organizations/:organizationId/configuration')
export class ConfigurationController {
  constructor(
    private readonly exports: ExportConfiguration,
    private readonly imports: ImportConfiguration,
  ) {}

  /** Exports the configuration with the cursors of connections, without secrets. Equal configurations are equal files. */
  @Get()
  @RequirePermission('configuration.read')
  @Answers('configuration.too_large')
  exportConfiguration(@CurrentActor() actor: Actor, @Res({ passthrough: true }) response: Response): Promise<ConfigurationFile> {
    response.setHeader('Content-Disposition', 'attachment; filename="configuration.json"');
    response.setHeader('Cache-Control', 'no-store');
    return this.exports.export(actor);
  }

  /** Returns what an import of the file would do. Changes nothing. */
  @Post('plan')
  @HttpCode(200)
  @RequirePermission('configuration.write')
  @CountedAs('check')
  @Answers('configuration.too_large')
  planConfiguration(@CurrentActor() actor: Actor, @Body() file: ConfigurationFile): Promise<ConfigurationPlan> {
    return this.imports.plan(actor, file);
  }

  /** Applies a plan in one transaction. Conflicts and entries that cannot be imported are skipped. */
  @Post('apply')
  @HttpCode(200)
  @RequirePermission('configuration.write')
  @CountedAs('check')
  @RequireSubscription()
  @Answers('configuration.changed', 'configuration.too_large', 'subscription.limit_reached')
  applyConfiguration(
    @CurrentActor() actor: Actor,
    @Query() { digest }: ApplyQuery,
    @Body() file: ConfigurationFile,
  ): Promise<ImportResult> {
    return this.imports.apply(actor, file, digest);
  }
}
