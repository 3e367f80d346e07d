import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CountedAs, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import {
  ConversionSourceChoices,
  ConversionTargetChoices,
  ConversionTargetsBody,
  Preview,
  PreviewBody,
  RecordSample,
  SampleBody,
  Validation,
} from './preview.dto.js';
import { SourceChoices } from './source-choices.js';
import { PreviewConversion } from './preview-conversion.js';

@ApiTags('Conversions')
@Controller('api/v1/organizations/:organizationId/conversion-setup')
export class ConversionSetupController {
  constructor(
    private readonly previews: PreviewConversion,
    private readonly sources: SourceChoices,
  ) {}

  /** Lists apps and destinations that events can be read from. */
  @Get('sources')
  @RequirePermission('conversions.read')
  listConversionSources(@CurrentActor() actor: Actor): Promise<ConversionSourceChoices> {
    return this.sources.listChoices(actor.organizationId);
  }

  /** Lists what can receive events in an ad account. Counts against the daily request budget. */
  @Post('targets')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers('app.not_connected', 'provider.not_set_up', 'provider.failed', 'provider.unavailable', 'provider.budget_used')
  listConversionTargets(
    @CurrentActor() actor: Actor,
    @Body() { appId, accountId }: ConversionTargetsBody,
  ): Promise<ConversionTargetChoices> {
    return this.previews.listTargets(actor.organizationId, appId, accountId);
  }

  /** Reads the newest records of a source. Personal data is masked. */
  @Post('sample')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers('app.not_connected', 'destination.credentials_required', 'provider.failed', 'provider.unavailable')
  sampleConversionSource(@CurrentActor() actor: Actor, @Body() { source }: SampleBody): Promise<RecordSample> {
    return this.previews.sample(actor.organizationId, source);
  }

  /** Shows which of the newest events would be sent, why the others would not, and the request. Sends nothing. */
  @Post('preview')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers('app.not_connected', 'destination.credentials_required', 'provider.failed', 'provider.unavailable')
  previewConversion(@CurrentActor() actor: Actor, @Body() body: PreviewBody): Promise<Preview> {
    return this.previews.preview(actor.organizationId, body);
  }

  /** Lets the platform check the newest events. It counts none of them. */
  @Post('validate')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers(
    'app.not_connected',
    'destination.credentials_required',
    'provider.failed',
    'provider.unavailable',
    'provider.budget_used',
  )
  validateConversion(@CurrentActor() actor: Actor, @Body() body: PreviewBody): Promise<Validation> {
    return this.previews.validate(actor.organizationId, body);
  }
}
