import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { addressOf } from './address.js';

/** What is known of the call that is being answered, wherever in the code that is. */
export interface RequestContext {
  requestId: string | null;
  ip: string | null;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Stands after the body parser, whose streams would lose it. */
export function requestContext(request: Request & { id?: string }, _response: Response, next: NextFunction): void {
  storage.run({ requestId: request.id ?? null, ip: addressOf(request) }, next);
}

/** In a job there is no call. */
export const currentRequest = (): RequestContext => storage.getStore() ?? { requestId: null, ip: null };
