import { Injectable } from '@nestjs/common';
import type { RequestRecord } from '../connectors/kit/contract.js';
import { TenantDoor } from '../platform/tenant.js';

export type RunLogLevel = 'info' | 'warn' | 'error';

/** What a run did, for the people who look at it. Addresses come from the connectors without secrets. */
@Injectable()
export class RunLog {
  constructor(private readonly tenants: TenantDoor) {}

  async write(run: { organizationId: string; runId: string }, level: RunLogLevel, message: string): Promise<void> {
    const { organizationId, runId } = run;
    await this.tenants.of(organizationId).runLogEntry.create({ data: { organizationId, runId, level, message } });
  }

  async writeRequests(run: { organizationId: string; runId: string }, requests: (RequestRecord & { at: Date })[]): Promise<void> {
    if (requests.length === 0) return;
    const { organizationId, runId } = run;
    await this.tenants.of(organizationId).runLogEntry.createMany({
      data: requests.map(({ at, ...request }) => ({
        organizationId,
        runId,
        at,
        level: request.status !== null && request.status < 400 ? ('info' as const) : ('warn' as const),
        message: `${request.method} ${request.url}`,
        request: { ...request },
      })),
    });
    await this.tenants
      .of(organizationId)
      .run.updateMany({ where: { id: runId }, data: { apiCalls: { increment: requests.length } } });
  }
}
