import { Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CountedAs, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { ConversionTest } from './preview.dto.js';
import { TestConversion } from './test-conversion.js';

@ApiTags('Conversions')
@Controller('api/v1/organizations/:organizationId/conversions')
export class TestConversionController {
  constructor(private readonly tests: TestConversion) {}

  /** Lets the platform validate the newest eligible events with the saved rules. It counts none of them, and none is stored. */
  @Post(':conversionId/test')
  @HttpCode(200)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  @CountedAs('check')
  @Answers(
    'conversion.no_test_event',
    'conversion.target_gone',
    'app.not_connected',
    'destination.credentials_required',
    'provider.not_set_up',
    'provider.failed',
    'provider.unavailable',
    'provider.budget_used',
  )
  testConversion(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionTest> {
    return this.tests.test(actor, conversionId);
  }
}
