import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteOldAppEvents } from '../audit/index.js';
import { Database } from '../core/database/database.js';
import { defineScheduledJob } from '../core/jobs/define-job.js';
import { Jobs } from '../core/jobs/jobs.js';
import { deleteOldPushes } from '../custom-apps/index.js';

const DAY_MS = 86_400_000;

const forgetAuthorizations = defineScheduledJob('forget-authorizations', 'every-minute');

/** Deletes old data over all organizations, by age only. */
@Injectable()
export class DeleteOldAppData implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(forgetAuthorizations, () => this.deleteOld());
  }

  async deleteOld(): Promise<void> {
    const { oauthState, appShareLink, providerRequestCount } = this.database.prisma;
    const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    await oauthState.updateMany({
      where: { heldGrant: { not: null }, heldUntil: { lt: new Date() } },
      data: { heldGrant: null },
    });
    await oauthState.deleteMany({ where: { expiresAt: { lt: daysAgo(1) } } });
    await appShareLink.deleteMany({ where: { expiresAt: { lt: daysAgo(30) } } });
    await deleteOldAppEvents(this.database);
    await providerRequestCount.deleteMany({ where: { day: { lt: daysAgo(31) } } });
    await deleteOldPushes(this.database);
  }
}
