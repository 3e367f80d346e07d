import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { logPath } from './log-path.js';

/** Printable ASCII, so that the id can be repeated in headers and logs. */
const REQUEST_ID = /^[\x20-\x7e]{1,200}$/;
/** Load balancers call them every second. */
const QUIET = ['/healthz', '/readyz'];

/** Sets the id of each request, and writes one log entry when its response has been sent or the client has disconnected. */
export function logRequests(logger: Logger) {
  // The entries contain no field that could be secret: no headers, which contain tokens, and no query, which may contain an OAuth code.
  const log = logger.child({}, { redact: [] });
  return (request: Request & { id?: string }, response: Response, next: NextFunction): void => {
    const id = requestId(request, response);
    request.id = id;
    if (QUIET.includes(request.url)) return next();
    const { method, url } = request;
    const startedAt = Date.now();
    response.once('close', () => {
      const entry = {
        req: { id, method, path: logPath(url) },
        res: { status: response.statusCode },
        responseTime: Date.now() - startedAt,
      };
      log.info(entry, response.writableFinished ? 'request completed' : 'request aborted');
    });
    next();
  };
}

/** Uses the caller's request id if it is valid, so that one id identifies a request in several systems. */
function requestId(request: Request, response: Response): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  return id;
}
