import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Logger } from 'pino';
import { catchError, type Observable } from 'rxjs';
import type { Actor, AuthenticatedRequest } from '../access/index.js';
import { LOGGER } from '../core/observability/logger.js';
import { Problem } from '../core/http/problem.js';
import { AuditService } from './audit.service.js';

const FORBIDDEN = 403;

/** Keeps what the rules of a room refuse to a member whom the guard let through, such as acting above one's own role. */
@Injectable()
export class RefusalInterceptor implements NestInterceptor {
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
        if (error instanceof Problem && error.getStatus() === FORBIDDEN) await this.keep(actor, operation, error);
        throw error;
      }),
    );
  }

  /** A refusal stands even when it cannot be recorded. */
  private async keep(actor: Actor, operation: string, { code }: Problem): Promise<void> {
    try {
      await this.audit.recordRefusal(actor, { type: 'operation', id: operation }, code);
    } catch (error) {
      this.logger.error({ err: error, organizationId: actor.organizationId }, 'could not record a refused access');
    }
  }
}
