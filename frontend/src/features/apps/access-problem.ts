import type { App } from '~/api/types';
import { formatMoment } from '~/lib/dates';
import { signInName } from '~/domain/accounts/providers';

/** `Meta ended the sign-in on Tue, Nov 17, 14:02`. Omits the time when it is unknown. */
export function accessProblemTitle(app: App, now: Date): string {
  const since = app.needsReauthSince ? ` on ${formatMoment(app.needsReauthSince, now)}` : '';
  if (app.state === 'revoked') return `This app was disconnected${since}`;
  if (app.state === 'expiring') return `${signInName(app.provider)}’s sign-in expires soon`;
  return `${signInName(app.provider)} ended the sign-in${since}`;
}

/** The platform's message and the effect on the data. */
export function accessProblemReason(app: App): string {
  const message = app.state === 'revoked' || app.failure === null ? '' : `${app.failure.message} `;
  const rest =
    app.state === 'expiring'
      ? 'Runs continue until then. Sign in again to renew it. It takes a minute.'
      : 'Loaded data is not affected. Missed days load automatically after you reconnect.';
  return message + rest;
}
