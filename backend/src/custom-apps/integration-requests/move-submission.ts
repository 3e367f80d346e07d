import { Inject, Injectable } from '@nestjs/common';
import type { Identity } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { submissionMovedMail } from './submission-mail.js';
import { type Decision, REACHED_FROM, type SubmissionState } from './submission-states.js';
import type { DeskSubmissionPage, MoveSubmissionBody, SubmissionsQuery } from './submissions.dto.js';
import { SubmissionsQueries } from './submissions.queries.js';
import { assertState, saveStep } from './submissions.service.js';

// SQL: locks the request's row.

interface Row {
  state: SubmissionState;
  title: string | null;
  submitterEmail: string | null;
  organizationName: string;
  [column: string]: unknown;
}

/** Platform staff's part of submissions: lists and moves them. Other users get 404. */
@Injectable()
export class MoveSubmission {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly queries: SubmissionsQueries,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
  ) {}

  async list(identity: Identity, query: SubmissionsQuery): Promise<DeskSubmissionPage> {
    assertStaff(identity);
    await this.audit.recordOverAll(identity, { action: 'super_admin.read', target: { type: 'submission', name: 'all' } });
    return this.queries.listAll(query);
  }

  async move(identity: Identity, submissionId: string, body: MoveSubmissionBody): Promise<void> {
    assertStaff(identity);
    const { state, note = null }: { state: Decision; note?: string | null } = body;
    const { organizationId, appId } = await this.queries.getAny(submissionId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const [current] = await query<Row>(
        `select s.state, s.title, u.email as "submitterEmail", o.name as "organizationName"
           from submissions s join organizations o on o.id = s.organization_id left join users u on u.uid = s.submitted_by
          where s.organization_id = $1 and s.app_id = $2 for no key update of s`,
        [appId],
      );
      if (!current) throw notFound('The submission');
      assertState(current.state, REACHED_FROM[state]);
      await transaction.submission.updateMany({ where: { appId }, data: { state, version: { increment: 1 } } });
      await saveStep(transaction, { organizationId, appId }, { state, actor: null, note });
      const change = { before: { state: current.state }, after: { state, note } };
      const target = { type: 'submission', id: appId, name: current.title };
      const staff = { ...identity, role: null, isVisit: true };
      await this.audit.recordIn(organizationId, staff, { action: `submission.${state}`, target, ...change }, query);
      const { submitterEmail: to, title, organizationName } = current;
      if (to === null) return;
      const content = submissionMovedMail({
        to,
        publicUrl: this.env.PUBLIC_URL,
        organizationId,
        organizationName,
        appId,
        title,
        state,
        note,
      });
      await this.outbox.add(query, { kind: 'mail', name: 'submission-moved', content });
    });
  }
}

function assertStaff({ isSuperAdmin }: Identity): void {
  if (!isSuperAdmin) throw notFound('The submission');
}
