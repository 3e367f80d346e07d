import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../access/index.js';
import { drawBadge } from './badge-picture.js';
import { BadgeStatus } from './badge-status.js';
import { BADGE_PATH } from './badges.service.js';

const PICTURE = { content: { 'image/svg+xml': { schema: { type: 'string' as const } } } };
const HEADERS = {
  // A badge that is opened as a page cannot run scripts or load resources.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Other sites embed it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // A revoked badge disappears from caches after this time.
  'Cache-Control': 'public, max-age=60',
  'X-Robots-Tag': 'noindex',
  'Content-Type': 'image/svg+xml; charset=utf-8',
};

@ApiTags('Freshness')
@Controller(BADGE_PATH)
export class PublicBadgeController {
  constructor(private readonly status: BadgeStatus) {}

  /** Returns the picture of a badge: its name, whether data is late, and up to which day it is complete. Cached for a minute. */
  @Get(':badge')
  @ApiProduces('image/svg+xml')
  @ApiOkResponse(PICTURE)
  @Public()
  async getBadge(@Param('badge') badge: string, @Res() response: Response): Promise<void> {
    const picture = await this.status.find(badge.replace(/\.svg$/, ''), new Date());
    response.set(HEADERS).send(drawBadge(picture));
  }
}
