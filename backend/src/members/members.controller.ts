import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { Member, MemberPage, TransferBody, UpdateMemberBody } from './members.dto.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('api/v1/organizations/:organizationId')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly queries: MembersQueries,
  ) {}

  /** Lists members, sorted by e-mail. */
  @Get('members')
  @RequirePermission('members.read')
  listMembers(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<MemberPage> {
    return this.queries.listMembers(actor, query);
  }

  /** Removes the caller from the organization. The last owner whose account is not disabled cannot leave. */
  @Post('members/leave')
  @HttpCode(204)
  @RequirePermission('members.leave')
  @Answers('member.last_owner')
  leaveOrganization(@CurrentActor() actor: Actor): Promise<void> {
    return this.members.leave(actor);
  }

  /** Changes a member's role. Neither the old nor the new role may be above the caller's role. The last owner cannot be demoted. */
  @Patch('members/:userId')
  @RequirePermission('members.write')
  @Answers('member.last_owner')
  async updateMember(
    @CurrentActor() actor: Actor,
    @Param('userId') userId: string,
    @Body() body: UpdateMemberBody,
  ): Promise<Member> {
    await this.members.changeRole(actor, userId, body.role);
    return this.queries.getMember(actor, userId);
  }

  /** Removes a member whose role is not above the caller's role. */
  @Delete('members/:userId')
  @HttpCode(204)
  @RequirePermission('members.write')
  @Answers('member.last_owner')
  deleteMember(@CurrentActor() actor: Actor, @Param('userId') userId: string): Promise<void> {
    return this.members.remove(actor, userId);
  }

  /** Transfers the organization to another member, whose account is not disabled. The caller becomes admin. */
  @Post('transfer')
  @HttpCode(200)
  @RequirePermission('organization.transfer')
  @Answers('not_found', 'member.disabled')
  async transferOrganization(@CurrentActor() actor: Actor, @Body() body: TransferBody): Promise<Member> {
    await this.members.transfer(actor, body.userId);
    return this.queries.getMember(actor, body.userId);
  }
}
