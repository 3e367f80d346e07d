import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { addressOf } from './address.js';

/** Runs SQL in a transaction. */
export type Execute = (text: string, parameters?: unknown[]) => Promise<unknown>;

/** Data of the current request, available in all code that handles it. */
export interface RequestContext {
  requestId: string | null;
  ip: string | null;
  /** Runs at the end of each transaction of the request's handler, in the transaction. */
  beforeCommit?: undefined | ((execute: Execute) => Promise<unknown>);
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Must run after the body parser, whose streams lose the async context. */
export function requestContext(request: Request & { id?: string }, _response: Response, next: NextFunction): void {
  storage.run({ requestId: request.id ?? null, ip: addressOf(request) }, next);
}

/** Runs `work` with a step before each commit. What the request started earlier is without it. */
export const withBeforeCommit = <Result>(beforeCommit: RequestContext['beforeCommit'], work: () => Result): Result =>
  storage.run({ ...currentRequest(), beforeCommit }, work);

/** Empty in a job. */
export const currentRequest = (): RequestContext => storage.getStore() ?? { requestId: null, ip: null };
