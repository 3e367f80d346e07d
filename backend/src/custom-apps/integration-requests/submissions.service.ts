import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { newId } from '../../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import type { UpdateSubmissionBody } from './submissions.dto.js';
import { REACHED_FROM, type SubmissionState } from './submission-states.js';

interface Row {
  state: SubmissionState;
  version: number;
  appName: string;
  [column: string]: unknown;
}

/** The column of each form field. All fields are required to submit. */
const COLUMNS = {
  title: 'title',
  documentation: 'documentation',
  wantedData: 'wanted_data',
  accessKind: 'access_kind',
  contactEmail: 'contact_email',
} as const;
const FIELDS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** The members' part of a submission: they edit and submit it. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
  ) {}

  /** Saves the draft. Omitted fields do not change. */
  async update(actor: Actor, appId: string, body: UpdateSubmissionBody): Promise<void> {
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const current = await lockDraft(query, appId, body.version);
      const given = FIELDS.filter((field) => body[field] !== undefined);
      const sets = given.map((field, index) => `${COLUMNS[field]} = $${index + 3}`);
      await query(
        `update submissions set ${['version = version + 1', 'updated_at = now()', ...sets].join(', ')}
          where organization_id = $1 and app_id = $2`,
        [appId, ...given.map((field) => body[field] ?? null)],
      );
      const after = Object.fromEntries(given.map((field) => [field, body[field]]));
      const target = { type: 'submission', id: appId, name: current.appName };
      await this.audit.record(actor, { action: 'submission.updated', target, after }, query);
    });
  }

  async submit(actor: Actor, appId: string, version: number): Promise<void> {
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const current = await lockDraft(query, appId, version);
      const missing = FIELDS.filter((field) => current[COLUMNS[field]] === null);
      if (missing.length > 0) {
        throw new Problem('submission.incomplete', {
          detail: 'Some fields of the form are still empty.',
          action: 'Fill in the empty fields and submit again',
          errors: missing.map((field) => ({ field, message: `${field} is required` })),
        });
      }
      await query(
        `update submissions set state = 'submitted', submitted_by = $3, version = version + 1, updated_at = now()
          where organization_id = $1 and app_id = $2`,
        [appId, actor.uid],
      );
      await saveStep(query, appId, { state: 'submitted', actor: actor.email, note: null });
      const target = { type: 'submission', id: appId, name: current.appName };
      await this.audit.record(actor, { action: 'submission.submitted', target }, query);
    });
  }
}

export async function saveStep(
  query: TenantQuery,
  appId: string,
  { state, actor, note }: { state: SubmissionState; actor: string | null; note: string | null },
): Promise<void> {
  await query(
    `insert into submission_steps (organization_id, app_id, id, state, actor, note)
     values ($1::uuid, $2::uuid, $3::uuid, $4::submission_state, $5::text, $6::text)`,
    [appId, newId(), state, actor, note],
  );
}

async function lockDraft(query: TenantQuery, appId: string, version: number): Promise<Row> {
  const [row] = await query<Row>(
    `select s.*, a.display_name as "appName"
       from submissions s join apps a on a.organization_id = s.organization_id and a.id = s.app_id and a.deleted_at is null
      where s.organization_id = $1 and s.app_id = $2 for no key update of s`,
    [appId],
  );
  if (!row) throw notFound('The submission');
  if (row.version !== version) throw versionConflict('form');
  assertState(row.state, REACHED_FROM.submitted);
  return row;
}

export function assertState(state: SubmissionState, wanted: SubmissionState): void {
  if (state === wanted) return;
  const words = (one: SubmissionState): string => one.replace('_', ' ');
  throw new Problem(
    'submission.wrong_state',
    `The submission is ${words(state)}, but this action requires the state ${words(wanted)}.`,
  );
}
