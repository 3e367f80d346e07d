import { Controller, Get, Param, ParseEnumPipe, Query, Redirect } from '@nestjs/common';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../../access/index.js';
import { fallbackLanding, landingPath } from './oauth-landing.js';
import { OauthStateSigner } from './oauth-state.js';

const SIGN_IN = { google_ads: 'google_ads', meta_ads: 'meta_ads', microsoft_ads: 'microsoft_ads', bigquery: 'bigquery' } as const;
/** Longer than any code or state. */
const MAX_LENGTH = 2_000;

@ApiTags('Apps')
@Controller('api/v1/oauth/callback')
export class OauthCallbackController {
  constructor(private readonly states: OauthStateSigner) {}

  /** Redirect target of the platforms. Redirects to the landing page, which completes the flow. */
  @Get(':provider')
  @Redirect()
  @ApiFoundResponse()
  @Public()
  async receiveOauthCallback(
    @Param('provider', new ParseEnumPipe(SIGN_IN)) provider: keyof typeof SIGN_IN,
    // Single parameters, because platforms send undocumented ones (scope, authuser, hd) that must not be rejected.
    @Query('state') state?: string,
    @Query('code') code?: string,
    @Query('error') error?: string,
  ): Promise<{ url: string; statusCode: number }> {
    const given = Object.entries({ state, code, error }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value.slice(0, MAX_LENGTH)]));
    const claims = await this.states.verify(String(state ?? '')).catch(() => null);
    const landing = claims ? landingPath(provider, claims) : null;
    return { url: `${landing ?? fallbackLanding(provider)}?${parameters}`, statusCode: 302 };
  }
}
