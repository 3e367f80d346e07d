import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { BadgeAnswer, CreateBadgeBody, NewBadge } from './badges.dto.js';
import { BadgesService } from './badges.service.js';

/** Badges of a connection, and of all connections of the organization. */
@ApiTags('Freshness')
@Controller('api/v1/organizations/:organizationId')
export class BadgesController {
  constructor(private readonly badges: BadgesService) {}

  /** Returns the badge of a connection, without its URL. */
  @Get('connections/:connectionId/freshness/badge')
  @RequirePermission('badges.read')
  getConnectionBadge(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<BadgeAnswer> {
    return this.badges.get(actor.organizationId, connectionId);
  }

  /** Creates the badge of a connection. Everyone with its URL sees it, without a sign-in. The previous badge stops working. */
  @Post('connections/:connectionId/freshness/badge')
  @RequirePermission('badges.write')
  @RequireSubscription()
  createConnectionBadge(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: CreateBadgeBody,
  ): Promise<NewBadge> {
    return this.badges.create(actor, connectionId, body);
  }

  /** Returns the badge of the organization, without its URL. */
  @Get('freshness/badge')
  @RequirePermission('badges.read')
  getOrganizationBadge(@CurrentActor() actor: Actor): Promise<BadgeAnswer> {
    return this.badges.get(actor.organizationId, null);
  }

  /** Creates the badge of the organization: how many connections with a freshness target are late. The previous one stops working. */
  @Post('freshness/badge')
  @RequirePermission('badges.write')
  @RequireSubscription()
  createOrganizationBadge(@CurrentActor() actor: Actor, @Body() body: CreateBadgeBody): Promise<NewBadge> {
    return this.badges.create(actor, null, body);
  }

  /** Revokes a badge of a connection or of the organization. Caches may show it for another minute. */
  @Delete('freshness/badges/:badgeId')
  @HttpCode(204)
  @RequirePermission('badges.write')
  deleteBadge(@CurrentActor() actor: Actor, @Param('badgeId', ParseUUIDPipe) badgeId: string): Promise<void> {
    return this.badges.revoke(actor, badgeId);
  }
}
