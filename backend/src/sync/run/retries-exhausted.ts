import type { Failure } from '../../core/http/failure.dto.js';

/** Actions of errors that a retry usually ends. */
const WAITS = /^(No action needed|Tributary retries automatically)/;

/** Automatic retries are exhausted, so the action is no longer to wait but to start a new run, or what the error asks for. */
export const retriesExhausted = (failure: Failure): Failure =>
  failure.action === null || WAITS.test(failure.action) ? { ...failure, action: 'Run again' } : failure;
