import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { assertOwnId, CurrentIdentity, type Identity, SignedIn } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { notFound } from '../core/http/problem.js';
import { GetOrSaveUserBody, GetUserBody, Me, UserAnswer } from './users.dto.js';
import { UsersQueries } from './users.queries.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('api')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly queries: UsersQueries,
  ) {}

  /** Creates the caller's record if it is missing, and returns it. Called after every sign-in and registration. */
  @Post('getOrSaveUser')
  @HttpCode(200)
  @SignedIn()
  @Answers('access.not_yours')
  async getOrSaveUser(@CurrentIdentity() identity: Identity, @Body() body: GetOrSaveUserBody): Promise<UserAnswer> {
    assertOwnId(identity, { userId: body.uid, email: body.email });
    await this.users.save(identity, body);
    return this.answer(identity.uid);
  }

  /** Returns the caller's record with the role. Platform staff may read all records. */
  @Post('getUser')
  @HttpCode(200)
  @SignedIn()
  @Answers('access.not_yours', 'not_found')
  async getUser(@CurrentIdentity() identity: Identity, @Body() body: GetUserBody): Promise<UserAnswer> {
    const userId = body.userId ?? identity.uid;
    await this.users.assertMayRead(identity, userId);
    return this.answer(userId);
  }

  /** Returns the signed-in user. */
  @Get('v1/me')
  @SignedIn()
  @Answers('not_found')
  async getMe(@CurrentIdentity() identity: Identity): Promise<Me> {
    const me = await this.queries.findUser(identity.uid);
    if (!me) throw notFound('The user');
    return { ...me, hasSecondFactor: identity.hasSecondFactor };
  }

  private async answer(uid: string): Promise<UserAnswer> {
    const me = await this.queries.findUser(uid);
    if (!me) throw notFound('The user');
    const { email, fullName, photoURL, role } = me;
    return { success: true, message: 'User found', user: { email, fullName, uid, photoURL, role } };
  }
}
