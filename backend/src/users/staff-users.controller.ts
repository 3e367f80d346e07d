import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentIdentity, type Identity, SignedIn } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { ChangeAccessBody, UserEntry, UserPage, UserPath, UsersQuery } from './staff-users.dto.js';
import { StaffUsers } from './staff-users.service.js';

@ApiTags('Users')
@Controller('api/v1/users')
export class StaffUsersController {
  constructor(private readonly users: StaffUsers) {}

  /** Lists all users by e-mail. Only for platform staff; other users get 404. */
  @Get()
  @SignedIn()
  @Answers('not_found')
  listUsers(@CurrentIdentity() identity: Identity, @Query() query: UsersQuery): Promise<UserPage> {
    return this.users.list(identity, query);
  }

  /** Disables a user immediately: their sign-ins and API keys are rejected from the next request. Only for platform staff. */
  @Post(':userId/disable')
  @HttpCode(200)
  @SignedIn()
  @Answers('user.own_account')
  disableUser(
    @CurrentIdentity() identity: Identity,
    @Param() { userId }: UserPath,
    @Body() body: ChangeAccessBody,
  ): Promise<UserEntry> {
    return this.users.disable(identity, userId, body.note);
  }

  /** Enables a disabled user. If the account is disabled at the identity provider, the next look-up disables the user again. Only for platform staff. */
  @Post(':userId/enable')
  @HttpCode(200)
  @SignedIn()
  @Answers('user.own_account')
  enableUser(
    @CurrentIdentity() identity: Identity,
    @Param() { userId }: UserPath,
    @Body() body: ChangeAccessBody,
  ): Promise<UserEntry> {
    return this.users.enable(identity, userId, body.note);
  }
}
