import type { Failure } from '../../core/http/failure.dto.js';

/** What promised to be tried again by itself has been, often enough: from here on it takes a new run. */
export const givenUp = (failure: Failure): Failure => ({ ...failure, action: 'Run again' });
