import { ConnectorError, RetryLater } from '../../connectors/kit/errors.js';

const byItself = 'No action needed: the run continues automatically';

export const newerSignIn = (): RetryLater =>
  new RetryLater({
    code: 'sync.newer_sign_in',
    message: 'A user signed in again while the run was active.',
    action: byItself,
    retryAfterSeconds: 1,
  });

/** The product's own database, not the destination. */
export const databaseLost = (cause: unknown): RetryLater =>
  new RetryLater(
    { code: 'database.unavailable', message: "Tributary's own database could not be reached.", action: byItself },
    { cause },
  );

class WorkerDied extends ConnectorError {
  readonly failureClass = 'internal';
}

/** The run or audit that was active each time a worker process crashed. */
export const workerDied = (job: 'run' | 'audit', deaths: number): WorkerDied =>
  new WorkerDied({
    code: 'sync.worker_died',
    message: `The worker process ended unexpectedly ${deaths} times while it worked on this ${job}. The ${job} was stopped to protect other runs.`,
    action: 'Ask the operator of this installation to check the worker logs',
  });

/** A user stopped the run. Completed slices stay. */
export class RunStopped extends ConnectorError {
  readonly failureClass = 'config';
}

/** The run releases its slot and continues later. Not a fault. */
export class RunPostponed extends ConnectorError {
  readonly failureClass = 'transient';
  constructor(
    detail: { code: string; message: string },
    readonly seconds: number,
  ) {
    super({ ...detail, action: 'No action needed: the run continues automatically' });
  }
}

/** Another run of the connection is loading the days of this one. */
export const daysBusy = (): RunPostponed =>
  new RunPostponed({ code: 'sync.days_busy', message: 'Another run of the connection is loading the same days.' }, 10);
