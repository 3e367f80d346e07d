import { SetMetadata } from '@nestjs/common';
import type { ProblemCode } from '../http/problem.js';

export const ANSWERS = 'answers';

/**
 * Documents the error codes that are specific to a handler. Common codes (invalid fields, no sign-in, insufficient role, unknown
 * id, rate limit) follow from its access rule and its path.
 */
export const Answers = (...codes: ProblemCode[]): MethodDecorator => SetMetadata(ANSWERS, codes);
