import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentIdentity, type Identity, SignedIn } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { MoveSubmission } from './move-submission.js';
import { DeskSubmission, DeskSubmissionPage, MoveSubmissionBody, SubmissionsQuery } from './submissions.dto.js';
import { SubmissionsQueries } from './submissions.queries.js';

@ApiTags('Custom apps')
@Controller('api/v1/submissions')
export class StaffSubmissionsController {
  constructor(
    private readonly moving: MoveSubmission,
    private readonly queries: SubmissionsQueries,
  ) {}

  /** Lists requested integrations, oldest first. Only for platform staff; other users get 404. */
  @Get()
  @SignedIn()
  @Answers('not_found')
  listSubmissions(@CurrentIdentity() identity: Identity, @Query() query: SubmissionsQuery): Promise<DeskSubmissionPage> {
    return this.moving.list(identity, query);
  }

  /** Moves a submission to another state and notifies its submitter by mail. Only for platform staff. */
  @Post(':submissionId/move')
  @HttpCode(200)
  @SignedIn()
  @Answers('submission.wrong_state')
  async moveSubmission(
    @CurrentIdentity() identity: Identity,
    @Param('submissionId', ParseUUIDPipe) submissionId: string,
    @Body() body: MoveSubmissionBody,
  ): Promise<DeskSubmission> {
    await this.moving.move(identity, submissionId, body);
    return this.queries.getAny(submissionId);
  }
}
