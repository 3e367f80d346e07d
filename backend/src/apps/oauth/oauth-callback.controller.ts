import { Controller, Get, Param, ParseEnumPipe, Query, Redirect } from '@nestjs/common';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../../access/index.js';
import type { ProviderName } from '../../connectors/kit/contract.js';
import { signInProviders } from '../../connectors/registry.js';
import { fallbackLanding, landingPath } from './oauth-landing.js';
import { OauthStateSigner } from './oauth-state.js';

/** Longer than any code or state. */
const MAX_LENGTH = 2_000;

function toEnum(names: ProviderName[]): Record<string, ProviderName> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

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
    @Param('provider', new ParseEnumPipe(toEnum(signInProviders.all))) provider: ProviderName,
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
