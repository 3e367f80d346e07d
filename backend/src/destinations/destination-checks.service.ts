import { Injectable } from '@nestjs/common';
import type { ConnectorContext, CheckItem, Destination } from '../connectors/kit/contract.js';
import { Problem } from '../core/http/problem.js';

/** Limits of checks, which connect to servers that users enter. Connectors of services that take longer declare their own. */
const CHECK_TIMEOUT_MS = 20_000;
const CHECKS_PER_ORGANIZATION = 4;
const CHECKS_PER_PROCESS = 16;
const RETRY_AFTER_SECONDS = 5;

/** Runs checks within limits of time and number, so that slow or hostile servers cannot exhaust this process. */
@Injectable()
export class DestinationChecks {
  private readonly running = new Map<string, number>();
  private total = 0;

  /** Rejects work beyond the limits instead of queueing it, because a queue would use memory too. */
  async run<Result>(
    organizationId: string,
    work: (context: ConnectorContext) => Promise<Result>,
    timeoutMs = CHECK_TIMEOUT_MS,
  ): Promise<Result> {
    const own = this.running.get(organizationId) ?? 0;
    if (own >= CHECKS_PER_ORGANIZATION || this.total >= CHECKS_PER_PROCESS) throw tooMany();
    this.running.set(organizationId, own + 1);
    this.total += 1;
    try {
      return await work({ signal: AbortSignal.timeout(timeoutMs), onRequest: () => undefined });
    } finally {
      this.total -= 1;
      const left = (this.running.get(organizationId) ?? 1) - 1;
      if (left > 0) this.running.set(organizationId, left);
      else this.running.delete(organizationId);
    }
  }
}

export async function checkOpened(destination: Destination, context: ConnectorContext): Promise<CheckItem[]> {
  try {
    return await destination.check(context);
  } finally {
    await destination.close();
  }
}

const tooMany = (): Problem =>
  new Problem('rate_limit.exceeded', {
    detail: 'Too many destination checks are running at the same time.',
    action: `Try again in ${RETRY_AFTER_SECONDS} s`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
