import { Injectable } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { IdCursor } from '../../core/database/cursor.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { DeskSubmission, DeskSubmissionPage, SubmissionEntry, SubmissionsQuery } from './submissions.dto.js';

// SQL: a page of one statement with its steps, over all organizations.

const COLUMNS = `s.id, s.state, s.title, s.documentation, s.wanted_data as "wantedData", s.access_kind as "accessKind",
       s.contact_email as "contactEmail", s.version,
       (select coalesce(json_agg(json_build_object('state', t.state, 'actor', t.actor, 'note', t.note,
                 'at', to_char(t.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by t.id), '[]')
          from (select * from submission_steps latest
                 where latest.organization_id = s.organization_id and latest.app_id = s.app_id
                 order by latest.id desc limit ${LIST_LIMITS.submissionSteps}) t) as steps`;

const CURSOR = new IdCursor('submissions');

@Injectable()
export class SubmissionsQueries {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  async getSubmission(organizationId: string, appId: string): Promise<SubmissionEntry> {
    const [submission] = await this.tenants.query<SubmissionEntry & Record<string, unknown>>(
      organizationId,
      `select ${COLUMNS} from submissions s
         join apps a on a.organization_id = s.organization_id and a.id = s.app_id and a.deleted_at is null
        where s.organization_id = $1 and s.app_id = $2`,
      [appId],
    );
    if (!submission) throw notFound('The submission');
    return submission;
  }

  /** Over all organizations, for platform staff: oldest first. Drafts are only visible to their organization. */
  async listAll({ state, cursor, limit }: SubmissionsQuery): Promise<DeskSubmissionPage> {
    const after = CURSOR.after(cursor);
    const { rows } = await this.database.pool.query<DeskSubmission>(
      `${DESK} and ($1::submission_state is null or s.state = $1) and ($2::uuid is null or s.id > $2) order by s.id limit $3`,
      [state ?? null, after, limit + 1],
    );
    return CURSOR.toPage(rows, limit, (submission) => [submission.id]);
  }

  async getAny(submissionId: string): Promise<DeskSubmission> {
    const { rows } = await this.database.pool.query<DeskSubmission>(`${DESK} and s.id = $1`, [submissionId]);
    if (!rows[0]) throw notFound('The submission');
    return rows[0];
  }
}

const DESK = `
  select ${COLUMNS}, s.organization_id as "organizationId", o.name as "organizationName", s.app_id as "appId"
    from submissions s
    join organizations o on o.id = s.organization_id and o.deleted_at is null
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id and a.deleted_at is null
   where s.state <> 'draft'`;
