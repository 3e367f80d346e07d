import type { CheckItem } from '../../connectors/kit/contract.js';
import { ConnectorError } from '../../connectors/kit/errors.js';
import { toFailure } from '../../core/http/failures.js';
import { Problem } from '../../core/http/problem.js';
import type { TestItem } from './test-bench.dto.js';

interface Step {
  code: string;
  label: string;
}

/** Runs one step. Its error becomes a failed item, and its result is null. */
export async function runStep<Result>(
  step: Step,
  signal: AbortSignal,
  work: () => Promise<{ result: Result; detail: string | null }>,
): Promise<{ item: TestItem; result: Result | null }> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    signal.throwIfAborted();
    const { result, detail } = await work();
    return { item: { ...step, state: 'passed', detail, action: null, class: null, durationMs: duration() }, result };
  } catch (error) {
    return { item: { ...step, state: 'failed', ...causeOf(error, signal), durationMs: duration() }, result: null };
  }
}

/** A programming error is not an item: it is logged and answered as an internal error. */
function causeOf(error: unknown, signal: AbortSignal): Pick<TestItem, 'class' | 'detail' | 'action'> {
  if (error instanceof ConnectorError) {
    const { class: failureClass, message, action } = toFailure(error);
    return { class: failureClass, detail: message, action };
  }
  if (error instanceof Problem) {
    const isLimit = error.code === 'provider.budget_used';
    return { class: isLimit ? 'quota' : 'config', detail: error.problem.detail, action: error.problem.action ?? null };
  }
  if (signal.aborted)
    return {
      class: 'transient',
      detail: 'The test took longer than 60 seconds.',
      action: 'Choose a day or an account with fewer rows',
    };
  throw error;
}

export const skipped = (step: Step, detail: string): TestItem => ({
  ...step,
  state: 'skipped',
  detail,
  action: null,
  class: null,
  durationMs: 0,
});

/** A check item of a destination has no class of its own. */
export const toTestItem = ({ failureClass: _class, ...item }: CheckItem): TestItem => ({
  ...item,
  class: item.state !== 'failed' ? null : item.code === 'signs_in' ? 'auth' : 'destination',
});
