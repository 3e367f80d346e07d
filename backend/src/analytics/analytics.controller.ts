import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type Actor,
  assertOwnId,
  CurrentActor,
  CurrentIdentity,
  type Identity,
  RequirePermission,
  SignedIn,
} from '../access/index.js';
import {
  DoneAnswer,
  IdentifyBody,
  IdentifyOrganizationBody,
  IntercomHashAnswer,
  IntercomHashBody,
  TrackBody,
} from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';
import { Intercom } from './intercom.js';

@ApiTags('Users')
@Controller('api')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly intercom: Intercom,
  ) {}

  /** Returns a signed proof of the caller's identity for the messenger. */
  @Post('getIntercomHash')
  @HttpCode(200)
  @SignedIn()
  getIntercomHash(@CurrentIdentity() identity: Identity, @Body() body: IntercomHashBody): Promise<IntercomHashAnswer> {
    assertOwnId(identity, { userId: body.userId });
    return this.intercom.proof(identity);
  }

  /** Queues the caller's traits for the customer messaging provider. */
  @Post('customerio/identify')
  @HttpCode(200)
  @SignedIn()
  async identifyUser(@CurrentIdentity() identity: Identity, @Body() body: IdentifyBody): Promise<DoneAnswer> {
    assertOwnId(identity, { userId: body.userId });
    await this.analytics.identify(identity, body.traits);
    return { success: true, message: 'User identified' };
  }

  /** Queues one of the product's events. */
  @Post('customerio/track')
  @HttpCode(200)
  @SignedIn()
  async trackEvent(@CurrentIdentity() identity: Identity, @Body() body: TrackBody): Promise<DoneAnswer> {
    assertOwnId(identity, { userId: body.userId });
    assertOwnId(identity, { userId: body.properties?.user_id });
    await this.analytics.track(identity, body.eventName, body.properties);
    return { success: true, message: 'Event tracked' };
  }

  /** Queues the caller's membership in an organization. */
  @Post('identifyUserWithOrganization')
  @HttpCode(200)
  @RequirePermission('organization.read', { in: 'body', name: 'organizationId' })
  async identifyUserWithOrganization(@CurrentActor() actor: Actor, @Body() body: IdentifyOrganizationBody): Promise<DoneAnswer> {
    assertOwnId(actor, { userId: body.userId });
    await this.analytics.identifyWithOrganization(actor);
    return { success: true, message: 'User identified with the organization' };
  }
}
