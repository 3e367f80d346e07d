import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { newId } from '../../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { type TenantQuery, type TenantTransaction, TenantDatabase } from '../../core/database/tenant-database.js';
import type { UpdateSubmissionBody } from './submissions.dto.js';
import { REACHED_FROM, type SubmissionState } from './submission-states.js';

// SQL: locks the request's row.

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
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const current = await lockDraft(query, appId, body.version);
      const given = FIELDS.filter((field) => body[field] !== undefined);
      const after = Object.fromEntries(given.map((field) => [field, body[field]]));
      await transaction.submission.updateMany({ where: { appId }, data: { ...after, version: { increment: 1 } } });
      const target = { type: 'submission', id: appId, name: current.appName };
      await this.audit.record(actor, { action: 'submission.updated', target, after }, query);
    });
  }

  async submit(actor: Actor, appId: string, version: number): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const current = await lockDraft(query, appId, version);
      const missing = FIELDS.filter((field) => current[COLUMNS[field]] === null);
      if (missing.length > 0) {
        throw new Problem('submission.incomplete', {
          detail: 'Some fields of the form are still empty.',
          action: 'Fill in the empty fields and submit again',
          errors: missing.map((field) => ({ field, message: `${field} is required` })),
        });
      }
      await transaction.submission.updateMany({
        where: { appId },
        data: { state: 'submitted', submittedBy: actor.uid, version: { increment: 1 } },
      });
      const own = { organizationId: actor.organizationId, appId };
      await saveStep(transaction, own, { state: 'submitted', actor: actor.email, note: null });
      const target = { type: 'submission', id: appId, name: current.appName };
      await this.audit.record(actor, { action: 'submission.submitted', target }, query);
    });
  }
}

export async function saveStep(
  transaction: TenantTransaction,
  own: { organizationId: string; appId: string },
  step: { state: SubmissionState; actor: string | null; note: string | null },
): Promise<void> {
  await transaction.submissionStep.create({ data: { ...own, ...step, id: newId() } });
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
