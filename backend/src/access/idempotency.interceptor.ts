import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Problem } from '../core/http/problem.js';
import { type Execute, withBeforeCommit } from '../core/http/request-context.js';
import { LOGGER } from '../core/observability/logger.js';
import { type Attempt, IdempotentCalls, type StoredResponse } from './idempotent-calls.js';
import type { AuthenticatedRequest } from './access.decorator.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Executes a POST under /api/v1 with an Idempotency-Key once, however often it is sent within 24 hours. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly calls: IdempotentCalls,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const key = request.headers['idempotency-key'];
    const isApplicable = request.method === 'POST' && request.path.startsWith('/api/v1/') && request.identity !== undefined;
    if (key === undefined || !isApplicable) return next.handle();
    return from(this.answer(request, response, String(key), next));
  }

  private async answer(request: AuthenticatedRequest, response: Response, key: string, next: CallHandler): Promise<unknown> {
    if (!KEY.test(key)) throw invalidKey();
    const caller = request.identity?.apiKey?.id ?? request.identity?.uid ?? '';
    const start = await this.calls.begin(caller, key, contentOf(request));
    if ('response' in start) {
      response.status(start.response.status).setHeader('Idempotency-Replayed', 'true');
      return start.response.body;
    }
    const { attempt } = start;
    const markStored = (execute: Execute) => this.calls.markStored(execute, attempt);
    const body: unknown = await withBeforeCommit(markStored, () =>
      lastValueFrom(next.handle(), { defaultValue: undefined }),
    ).catch(async (error: unknown) => {
      // The client may correct a rejected request and retry with the same key. Any other error may have come after a change.
      await (error instanceof Problem ? this.calls.remove(attempt) : this.calls.fail(attempt));
      throw error;
    });
    await this.finish(attempt, { status: response.statusCode, body });
    return body;
  }

  /** The request has succeeded, also if its response cannot be stored. */
  private async finish(attempt: Attempt, answer: StoredResponse): Promise<void> {
    await this.calls.finish(attempt, answer).catch(async (error: unknown) => {
      this.logger.error({ err: error }, 'failed to store the response to a request with an Idempotency-Key');
      await this.calls.fail(attempt).catch(() => undefined);
    });
  }
}

const contentOf = (request: AuthenticatedRequest): string => JSON.stringify([request.method, request.originalUrl, request.body]);

const invalidKey = (): Problem => {
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  return new Problem('request.invalid', { detail: message, errors: [{ field: 'Idempotency-Key', message }] });
};
