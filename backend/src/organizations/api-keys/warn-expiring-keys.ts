import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { ENV, type Env } from '../../core/config/env.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { FIRST_WARNING_DAYS, LAST_WARNING_DAYS } from './api-key-lifetime.js';
import { keyExpiresMail } from '../mails.js';

// SQL: joins over all organizations and computes the due warning by the clock of the database.

const warnExpiringKeys = defineScheduledJob('warn-expiring-keys', 'every-night');

interface ExpiringKey {
  id: string;
  name: string;
  prefix: string;
  creatorEmail: string;
  creatorId: string;
  organizationId: string;
  organizationName: string;
  expiresAt: Date;
  warningDays: number;
}

/** No warning N days ahead for a key with a lifetime of less than N days, because its creator has just chosen the date. */
const EXPIRING = `
  select k.id, k.name, k.prefix, k.created_by as "creatorId", u.email as "creatorEmail", k.organization_id as "organizationId",
         o.name as "organizationName", k.expires_at as "expiresAt", w.days as "warningDays"
    from api_keys k
    join organizations o on o.id = k.organization_id and o.deleted_at is null
    join users u on u.uid = k.created_by
   cross join lateral (select case when k.expires_at <= now() + make_interval(days => $1) then $1 else $2 end as days) w
   where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + make_interval(days => w.days)
     and k.created_at < k.expires_at - make_interval(days => w.days)
   order by k.id`;

/** Mails the creator of a key and the owners of its organization, once 30 days and once 7 days before it expires. */
@Injectable()
export class WarnExpiringKeys implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(warnExpiringKeys, () => this.warn());
  }

  async warn(): Promise<void> {
    const { rows } = await this.database.pool.query<ExpiringKey>(EXPIRING, [LAST_WARNING_DAYS, FIRST_WARNING_DAYS]);
    for (const key of rows) {
      try {
        await this.warnAbout(key);
      } catch (error) {
        // Continues with the other keys. The next nightly job retries this one.
        this.logger.error({ err: error, apiKeyId: key.id }, 'failed to warn about an expiring API key');
      }
    }
  }

  private async warnAbout(key: ExpiringKey): Promise<void> {
    await this.tenants.write(key.organizationId, async (transaction, query) => {
      const people = await transaction.member.findMany({
        // An address that is not verified may be someone else's.
        where: { user: { disabledAt: null, isEmailVerified: true }, OR: [{ role: 'owner' }, { userId: key.creatorId }] },
        include: { user: { select: { uid: true, email: true } } },
      });
      for (const { user } of people) {
        const { uid, email } = user;
        const content = keyExpiresMail({ ...key, publicUrl: this.env.PUBLIC_URL, to: email, isCreator: uid === key.creatorId });
        const onceKey = `api-key-expires:${key.id}:${key.warningDays}:${uid}`;
        await this.outbox.add(query, { kind: 'mail', name: 'api-key-expires', content, onceKey });
      }
    });
  }
}
