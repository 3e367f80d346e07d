import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Logger } from 'pino';
import { catchError, type Observable } from 'rxjs';
import type { Actor, AuthenticatedRequest } from '../access/index.js';
import { LOGGER } from '../core/observability/logger.js';
import { Problem } from '../core/http/problem.js';
import { AuditService } from './audit.service.js';

const FORBIDDEN = 403;

/** Records requests that pass the guard and are rejected by a module, such as a change of a member with a higher role. */
@Injectable()
export class RejectionInterceptor implements NestInterceptor {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly audit: AuditService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { actor } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!actor) return next.handle();
    const operation = context.getHandler().name;
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof Problem && error.getStatus() === FORBIDDEN) await this.record(actor, operation, error);
        throw error;
      }),
    );
  }

  /** The request is rejected even when the audit entry cannot be stored. */
  private async record(actor: Actor, operation: string, { code }: Problem): Promise<void> {
    try {
      await this.audit.recordRejection(actor, { type: 'operation', id: operation }, code);
    } catch (error) {
      this.logger.error({ err: error, organizationId: actor.organizationId }, 'failed to record a rejected access');
    }
  }
}
