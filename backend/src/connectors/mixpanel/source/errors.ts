import { FixSettings, RetryLater } from '../../kit/errors.js';

/** Errors of the export, in the words of a read instead of a load. */
export function toSourceError(error: unknown): unknown {
  const options = { cause: error };
  if (error instanceof RetryLater && error.code === 'mixpanel.query_quota') {
    const { retryAfterSeconds, failureClass, action } = error;
    const message = "Mixpanel's limit of 60 exports an hour or 3 a second is reached. The remaining days are read later.";
    return new RetryLater({ code: 'mixpanel.export_quota', message, action, retryAfterSeconds, failureClass }, options);
  }
  if (!(error instanceof FixSettings) || error.code !== 'mixpanel.http_403') return error;
  return new FixSettings(
    {
      code: 'mixpanel.export_not_allowed',
      message: 'The service account has no permission to export events of the project.',
      action: 'Give the service account the role Analyst, Admin or Owner in the Mixpanel project',
      failureClass: 'permission',
    },
    options,
  );
}
