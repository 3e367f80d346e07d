import { SetMetadata } from '@nestjs/common';
import type { ProblemCode } from '../http/problem.js';

export const ANSWERS = 'answers';

/**
 * The refusals a handler knows of its own. What every handler of its kind may answer (wrong fields, no sign-in, a role too
 * low, an id of nobody's, too many calls) is told from its access rule and its path.
 */
export const Answers = (...codes: ProblemCode[]): MethodDecorator => SetMetadata(ANSWERS, codes);
