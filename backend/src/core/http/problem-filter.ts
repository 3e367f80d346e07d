import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Logger } from 'pino';
import { documentedFailure } from '../api-docs/documented-failures.js';
import { isConnectionLost } from '../database/connection-lost.js';
import { LOGGER } from '../observability/logger.js';
import { logPath } from '../observability/log-path.js';
import { sizeText } from './body-limits.js';
import { isConnectorFailure } from './failures.js';
import { Problem, PROBLEMS, type ProblemCode } from './problem.js';

/**
 * Returns every error as problem+json. An error that is not a `Problem` is logged, and the response does not contain its text.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request & { id?: string }>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = asProblem(error, request.originalUrl);
    if (LOGGED.has(problem.code)) {
      const { id, method, originalUrl } = request;
      this.logger.error({ err: error, req: { id, method, path: logPath(originalUrl) } }, 'request failed');
    }
    if (response.headersSent) {
      response.end();
      return;
    }
    const { status, title } = PROBLEMS[problem.code];
    const { retryAfterSeconds = status === 503 ? RETRY_SECONDS : undefined, ...detail } = problem.problem;
    response.status(status);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
    response.type('application/problem+json').send(
      JSON.stringify({
        ...documentedFailure(request.path, problem),
        type: `/api/docs/errors#${problem.code}`,
        title,
        status,
        code: problem.code,
        ...detail,
        requestId: request.id ?? null,
      }),
    );
  }
}

/** Codes of errors that the log describes, because the response does not. */
const LOGGED: ReadonlySet<ProblemCode> = new Set(['internal', 'database.unavailable']);

/** Of every 503 without its own wait. A restart of PostgreSQL or of a process takes a few seconds. */
const RETRY_SECONDS = 5;

function asProblem(error: unknown, url: string): Problem {
  // Nest wraps errors of Express and its parsers.
  const cause = error instanceof HttpException && error.cause instanceof Error ? error.cause : error;
  if (error instanceof Problem) return error;
  if (cause instanceof Problem) return cause;
  // An error of a connector is about the user's server or a platform, also if its cause is a lost connection.
  if (!isConnectorFailure(cause) && isConnectionLost(cause)) {
    return new Problem('database.unavailable', {
      detail: 'The database cannot be reached at the moment.',
      action: 'Try again in a few seconds',
    });
  }
  const status = error instanceof HttpException ? error.getStatus() : statusOfParser(error);
  const code = CODE_OF_STATUS[status] ?? (status >= 400 && status < 500 ? 'request.malformed' : 'internal');
  if (code === 'request.too_large') return tooLarge(cause);
  if (code === 'not_found') return new Problem(code, `Page not found: ${pathOf(url)}`);
  return new Problem(
    code,
    unreadablePart(cause) ??
      DETAIL_OF_CODE[code] ??
      'Something went wrong on our side. Try again. If the error persists, send us the request id.',
  );
}

const CODE_OF_STATUS: Record<number, ProblemCode> = {
  404: 'not_found',
  413: 'request.too_large',
  415: 'request.unsupported_encoding',
};
const DETAIL_OF_CODE: Partial<Record<ProblemCode, string>> = {
  'request.malformed': 'The request could not be read.',
  'request.unsupported_encoding': 'Send UTF-8, uncompressed or with Content-Encoding gzip, deflate, br or zstd.',
};

const SHOWN_CHARACTERS = 200;

/** The query may contain a secret. */
function pathOf(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path;
}

/** What Express' parser or the pipe of an id could not read. */
function unreadablePart(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('type' in error && error.type === 'entity.parse.failed') return 'The body is not valid JSON.';
  return error instanceof HttpException && error.message.includes('uuid is expected')
    ? 'An id in the path is not a UUID.'
    : undefined;
}

function tooLarge(error: unknown): Problem {
  const limit = error instanceof Error && 'limit' in error ? Number(error.limit) : Number.NaN;
  return new Problem('request.too_large', `The request is larger than ${Number.isNaN(limit) ? 'allowed' : sizeText(limit)}.`);
}

/** Express and its body parser throw plain errors with a `status` property. */
function statusOfParser(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return Number.isInteger(status) ? status : 500;
}
