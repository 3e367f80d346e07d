import { Controller, Get, Query, Redirect } from '@nestjs/common';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/access.decorator.js';
import { OauthStateSigner } from './oauth-state.js';

/** Longer than any code or state there is. */
const MAX_LENGTH = 2_000;

@ApiTags('Apps')
@Controller('api/v1/oauth/callback')
export class OauthCallbackController {
  constructor(private readonly states: OauthStateSigner) {}

  /** Where Google sends the browser back to: hands over to the organization's landing page, which completes the flow. */
  @Get('google_ads')
  @Redirect()
  @ApiFoundResponse()
  @Public()
  async receiveGoogleAdsCallback(
    // One by one: Google sends more than it documents (scope, authuser, hd), and must not be refused for it.
    @Query('state') state?: string,
    @Query('code') code?: string,
    @Query('error') error?: string,
  ): Promise<{ url: string; statusCode: number }> {
    const given = Object.entries({ state, code, error }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value.slice(0, MAX_LENGTH)]));
    const claims = await this.states.verify(String(state ?? '')).catch(() => null);
    const path = claims ? `/${claims.organizationId}/GoogleAds?${parameters}` : '/organizations?problem=oauth.state_invalid';
    return { url: path, statusCode: 302 };
  }
}
