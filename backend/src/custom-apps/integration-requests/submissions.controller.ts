import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { SubmissionEntry, SubmitBody, UpdateSubmissionBody } from './submissions.dto.js';
import { SubmissionsQueries } from './submissions.queries.js';
import { SubmissionsService } from './submissions.service.js';

@ApiTags('Custom apps')
@Controller('api/v1/organizations/:organizationId/apps/:appId/submission')
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly queries: SubmissionsQueries,
  ) {}

  /** Returns the integration request of a custom app and its state. */
  @Get()
  @RequirePermission('apps.read')
  getSubmission(@CurrentActor() actor: Actor, @Param('appId', ParseUUIDPipe) appId: string): Promise<SubmissionEntry> {
    return this.queries.getSubmission(actor.organizationId, appId);
  }

  /** Saves the draft. Omitted fields do not change. */
  @Patch()
  @RequirePermission('apps.write')
  @Answers('conflict.version', 'submission.wrong_state')
  async updateSubmission(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: UpdateSubmissionBody,
  ): Promise<SubmissionEntry> {
    await this.submissions.update(actor, appId, body);
    return this.queries.getSubmission(actor.organizationId, appId);
  }

  /** Submits the draft to the operator of this instance. It cannot be changed afterwards. */
  @Post('submit')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @Answers('conflict.version', 'submission.wrong_state', 'submission.incomplete')
  async submitSubmission(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: SubmitBody,
  ): Promise<SubmissionEntry> {
    await this.submissions.submit(actor, appId, body.version);
    return this.queries.getSubmission(actor.organizationId, appId);
  }
}
