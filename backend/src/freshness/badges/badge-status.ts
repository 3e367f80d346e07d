import { Injectable } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound } from '../../core/http/problem.js';
import { countLateConnections } from '../../read-models/index.js';
import { FreshnessQueries } from '../freshness.queries.js';
import type { BadgePicture } from './badge-picture.js';
import { hashOfBadge } from './badges.service.js';

// SQL: finds the badge in one statement before its organization is known.

interface Badge {
  organizationId: string;
  connectionId: string | null;
  label: string;
}

/** What a badge shows. It is identified by its token alone, so the token determines the organization. */
@Injectable()
export class BadgeStatus {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly queries: FreshnessQueries,
  ) {}

  /** A revoked badge, and one of a deleted connection or organization, answers like an unknown one. */
  async find(token: string, now: Date): Promise<BadgePicture> {
    const { rows } = await this.database.pool.query<Badge>(
      `select b.organization_id as "organizationId", b.connection_id as "connectionId", b.label
         from freshness_badges b
         join organizations o on o.id = b.organization_id and o.deleted_at is null
        where b.token_hash = $1 and b.revoked_at is null`,
      [hashOfBadge(token)],
    );
    const [badge] = rows;
    if (!badge) throw notFound('The badge');
    const status = badge.connectionId
      ? await this.ofConnection(badge.organizationId, badge.connectionId, now)
      : await this.ofOrganization(badge.organizationId);
    return { label: badge.label, ...status };
  }

  private async ofConnection(organizationId: string, connectionId: string, now: Date): Promise<Omit<BadgePicture, 'label'>> {
    const entry = await this.queries.getFreshness(organizationId, connectionId, {}, now).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'not_found' ? notFound('The badge') : error;
    });
    const late = entry.days.find(({ state }) => state === 'late');
    if (late) return { message: `late since ${late.day}`, tone: 'danger' };
    const { completeThrough, day, isComplete } = entry;
    if (completeThrough === null) return { message: 'not complete yet', tone: 'idle' };
    return { message: `complete through ${completeThrough}`, tone: isComplete && completeThrough === day ? 'good' : 'idle' };
  }

  private async ofOrganization(organizationId: string): Promise<Omit<BadgePicture, 'label'>> {
    const { watched, late } = await countLateConnections(this.tenants, organizationId);
    if (watched === 0) return { message: 'no freshness targets', tone: 'idle' };
    return late > 0
      ? { message: `${late} of ${watched} late`, tone: 'danger' }
      : { message: `${watched} of ${watched} on time`, tone: 'good' };
  }
}
