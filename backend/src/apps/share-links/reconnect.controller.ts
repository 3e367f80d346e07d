import { Controller, Get, Header, Param, Query, Redirect, Res, UseFilters } from '@nestjs/common';
import { ApiFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { Connectors } from '../../catalog/index.js';
import { ReconnectByLink } from './reconnect-by-link.js';
import { ReconnectPage } from './reconnect-page.js';
import { ReconnectPageFilter } from './reconnect-page.filter.js';
import { invitationPage, reconnectedPage } from './reconnect-texts.js';
import { RECONNECT_PATH } from './share-app.js';

const PAGE = { content: { 'text/html': { schema: { type: 'string' as const } } } };
/** Longer than any code or state. */
const MAX_LENGTH = 2_000;
const short = (text: string | undefined): string | undefined =>
  typeof text === 'string' ? text.slice(0, MAX_LENGTH) : undefined;

/** Pages for people without an account who got a link to reconnect an app. */
@ApiTags('Apps')
@Controller('reconnect')
@UseFilters(ReconnectPageFilter)
export class ReconnectController {
  constructor(
    private readonly reconnect: ReconnectByLink,
    private readonly connectors: Connectors,
    private readonly page: ReconnectPage,
  ) {}

  /** Landing page after the platform's sign-in for the holder of a shared link. Shows the result. */
  @Get('result')
  @ApiProduces('text/html')
  @ApiOkResponse(PAGE)
  @Public()
  @Answers(
    'not_found',
    'share_link.used',
    'share_link.taken_back',
    'share_link.expired',
    'subscription.required',
    'oauth.denied',
    'oauth.state_expired',
    'oauth.missing_scope',
    'oauth.no_accounts',
    'oauth.other_user',
    'app.not_connected',
    'provider.failed',
    'provider.unavailable',
  )
  async finishReconnect(
    @Res() response: Response,
    @Query('state') state?: string,
    @Query('code') code?: string,
    @Query('error') error?: string,
  ): Promise<void> {
    const { link, catchUp } = await this.reconnect.finish(short(state) ?? '', short(code), short(error));
    const content = reconnectedPage(link, this.connectors.nameOf(link.provider), catchUp);
    response.set(this.page.headers).send(this.page.render(content));
  }

  /** The page of a shared link. Shows the requester and the app. */
  @Get(':link')
  @ApiProduces('text/html')
  @ApiOkResponse(PAGE)
  @Public()
  @Answers('share_link.used', 'share_link.taken_back', 'share_link.expired', 'subscription.required')
  async showReconnect(@Param('link') linkToken: string, @Res() response: Response): Promise<void> {
    const link = await this.reconnect.getOpen(linkToken);
    const start = `${RECONNECT_PATH}/${encodeURIComponent(linkToken)}/start`;
    const content = invitationPage(link, this.connectors.nameOf(link.provider), start);
    response.set(this.page.headers).send(this.page.render(content));
  }

  /** Redirects to the platform's sign-in. */
  @Get(':link/start')
  @Redirect()
  @Header('Cache-Control', 'no-store')
  @Header('Referrer-Policy', 'no-referrer')
  @ApiFoundResponse()
  @Public()
  @Answers('share_link.used', 'share_link.taken_back', 'share_link.expired', 'subscription.required', 'provider.not_set_up')
  async startReconnect(@Param('link') linkToken: string): Promise<{ url: string; statusCode: number }> {
    return { url: await this.reconnect.start(linkToken), statusCode: 302 };
  }
}
