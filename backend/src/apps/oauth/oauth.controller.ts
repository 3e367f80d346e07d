import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { OauthCompletion, OtherUser } from '../app-use.dto.js';
import { memberRequester } from './oauth-requester.js';
import { AcceptOtherUserBody, CompleteOauthBody, OauthStart, StartOauthBody } from '../apps.dto.js';
import { AppsQueries } from '../apps.queries.js';
import { type Authorized, AuthorizeApp } from './authorize-app.js';
import { StartAuthorization } from './start-authorization.js';

@ApiTags('Apps')
@ApiExtraModels(OtherUser)
@Controller('api/v1/organizations/:organizationId/apps')
export class OauthController {
  constructor(
    private readonly startAuthorization: StartAuthorization,
    private readonly authorizeApp: AuthorizeApp,
    private readonly queries: AppsQueries,
  ) {}

  /** Completes the OAuth flow with the provider's response: once, within 10 minutes, by the user who started it. */
  @Post('oauth/complete')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  @Answers(
    'oauth.denied',
    'oauth.state_invalid',
    'oauth.state_expired',
    'oauth.missing_scope',
    'oauth.no_accounts',
    'oauth.other_user',
    'app.not_connected',
    'provider.failed',
    'provider.unavailable',
  )
  async completeOauth(@CurrentActor() actor: Actor, @Body() body: CompleteOauthBody): Promise<OauthCompletion> {
    return this.answer(actor, await this.authorizeApp.complete(memberRequester(actor), body));
  }

  /** Accepts another user's sign-in within 10 minutes after its rejection. The app then belongs to that user. */
  @Post('oauth/accept-other-user')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  @Answers(
    'oauth.state_invalid',
    'oauth.state_expired',
    'oauth.no_accounts',
    'app.not_connected',
    'provider.failed',
    'provider.unavailable',
  )
  async acceptOtherUser(@CurrentActor() actor: Actor, @Body() body: AcceptOtherUserBody): Promise<OauthCompletion> {
    return this.answer(actor, await this.authorizeApp.acceptOtherUser(memberRequester(actor), body.state));
  }

  /** Starts the OAuth flow to connect or reconnect an app. */
  @Post(':appId/oauth/start')
  @HttpCode(200)
  @RequirePermission('apps.write')
  @RequireSubscription()
  @Answers('provider.not_set_up')
  startOauth(
    @CurrentActor() actor: Actor,
    @Param('appId', ParseUUIDPipe) appId: string,
    @Body() body: StartOauthBody,
  ): Promise<OauthStart> {
    return this.startAuthorization.start(memberRequester(actor), appId, body);
  }

  private async answer({ organizationId }: Actor, { appId, ...authorized }: Authorized): Promise<OauthCompletion> {
    return { app: await this.queries.getApp(organizationId, appId), ...authorized };
  }
}
