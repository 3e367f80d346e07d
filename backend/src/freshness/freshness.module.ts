import { Module } from '@nestjs/common';
import { BadgeStatus } from './badges/badge-status.js';
import { BadgesController } from './badges/badges.controller.js';
import { BadgesService } from './badges/badges.service.js';
import { PublicBadgeController } from './badges/public-badge.controller.js';
import { FreshnessController } from './freshness.controller.js';
import { FreshnessQueries } from './freshness.queries.js';
import { CheckDeadlines } from './watch/check-deadlines.js';
import { WatchFreshness } from './watch/watch-freshness.js';

@Module({
  controllers: [FreshnessController, BadgesController, PublicBadgeController],
  providers: [FreshnessQueries, WatchFreshness, CheckDeadlines, BadgesService, BadgeStatus],
})
export class FreshnessModule {}
