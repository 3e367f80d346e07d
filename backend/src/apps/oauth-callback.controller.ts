import { Controller, Get, Query, Redirect } from '@nestjs/common';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/access.decorator.js';
import { OauthCallbackQuery } from './apps.dto.js';
import { OauthStateSigner } from './oauth-state.js';

@ApiTags('Apps')
@Controller('api/v1/oauth/callback')
export class OauthCallbackController {
  constructor(private readonly states: OauthStateSigner) {}

  /** Where Google sends the browser back to: hands over to the organization's landing page, which completes the flow. */
  @Get('google_ads')
  @Redirect()
  @ApiFoundResponse()
  @Public()
  async receiveGoogleAdsCallback(@Query() query: OauthCallbackQuery): Promise<{ url: string; statusCode: number }> {
    const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => typeof value === 'string'));
    const claims = await this.states.verify(query.state ?? '').catch(() => null);
    const path = claims ? `/${claims.organizationId}/GoogleAds?${parameters}` : '/organizations?problem=oauth.state_invalid';
    return { url: path, statusCode: 302 };
  }
}
