import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { MemberRemovedAnswer, RemoveMemberBody, TeamMembersAnswer, TeamMembersBody } from './members.dto.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';

const inBody = { in: 'body', name: 'organizationId' } as const;

/** The specified endpoints for members. */
@ApiTags('Members')
@Controller('api')
export class TeamController {
  constructor(
    private readonly members: MembersService,
    private readonly queries: MembersQueries,
  ) {}

  /** Lists the members of one of the caller's organizations. */
  @Post('getTeamMembers')
  @HttpCode(200)
  @RequirePermission('members.read', inBody)
  async getTeamMembers(@CurrentActor() actor: Actor, @Body() _body: TeamMembersBody): Promise<TeamMembersAnswer> {
    return { success: true, message: 'Team members found', members: await this.queries.listTeam(actor) };
  }

  /** Removes a member, or the caller. The last owner cannot be removed. */
  @Post('removeMemberFromOrganization')
  @HttpCode(200)
  @RequirePermission('members.leave', inBody)
  @Answers('access.role_too_low', 'member.last_owner')
  async removeMemberFromOrganization(@CurrentActor() actor: Actor, @Body() body: RemoveMemberBody): Promise<MemberRemovedAnswer> {
    await this.members.remove(actor, body.memberId);
    return { success: true, message: 'Member removed from the organization' };
  }
}
