import { Injectable } from '@nestjs/common';
import type { RequestRecord } from '../../connectors/kit/contract.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';

// SQL: runs in a transaction without Prisma (`TenantDatabase.together`); many lines in one statement (unnest).

export type RunLogLevel = 'info' | 'warn' | 'error';

/** The log of a run for users. Connectors remove secrets from the addresses. */
@Injectable()
export class RunLog {
  constructor(private readonly tenants: TenantDatabase) {}

  async write(run: { organizationId: string; runId: string }, level: RunLogLevel, message: string): Promise<void> {
    await this.tenants.query(
      run.organizationId,
      'insert into run_log_entries (organization_id, run_id, level, message) values ($1, $2, $3::log_level, $4)',
      [run.runId, level, message],
    );
  }

  /** @param messages information that follows the requests */
  async writeRequests(
    run: { organizationId: string; runId: string },
    requests: (RequestRecord & { at: Date })[],
    messages: string[] = [],
  ): Promise<void> {
    if (requests.length + messages.length === 0) return;
    const now = new Date();
    const lines = [
      ...requests.map(({ at, ...request }) => ({
        at,
        level: levelOf(request),
        message: `${request.method} ${request.url}`,
        request,
      })),
      ...messages.map((message) => ({ at: now, level: 'info', message, request: null })),
    ];
    await this.tenants.query(
      run.organizationId,
      `with counted as (update runs set api_calls = api_calls + $3 where organization_id = $1 and id = $2)
       insert into run_log_entries (organization_id, run_id, at, level, message, request)
       select $1, $2, at, level::log_level, message, request
         from unnest($4::timestamptz[], $5::text[], $6::text[], $7::jsonb[]) as line(at, level, message, request)`,
      [
        run.runId,
        requests.length,
        lines.map(({ at }) => at),
        lines.map(({ level }) => level),
        lines.map(({ message }) => message),
        lines.map(({ request }) => request && JSON.stringify(request)),
      ],
    );
  }
}

const levelOf = ({ status }: RequestRecord): RunLogLevel => (status !== null && status < 400 ? 'info' : 'warn');
