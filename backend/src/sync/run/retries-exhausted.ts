import type { Failure } from '../../core/http/failure.dto.js';

/** Automatic retries are exhausted, so the action is no longer to wait but to start a new run. */
export const retriesExhausted = (failure: Failure): Failure => ({ ...failure, action: 'Run again' });
