import type { App } from '~/api/types';
import { formatMoment } from '~/lib/dates';
import { signInName } from '~/domain/accounts/providers';

/** `Meta ended the sign-in on Tue, Nov 17, 14:02`; who did it, and when, as far as that is known. */
export function titleOfBreak(app: App, now: Date): string {
  const since = app.needsReauthSince ? ` on ${formatMoment(app.needsReauthSince, now)}` : '';
  if (app.state === 'revoked') return `This app was disconnected${since}`;
  if (app.state === 'expiring') return `${signInName(app.provider)}’s sign-in ends soon`;
  return `${signInName(app.provider)} ended the sign-in${since}`;
}

/** What the platform said, and that nothing is lost by it. */
export function reasonOfBreak(app: App): string {
  const said = app.state === 'revoked' || app.failure === null ? '' : `${app.failure.message} `;
  const rest =
    app.state === 'expiring'
      ? 'Until then everything goes on. Signing in again takes a minute and starts the time anew.'
      : 'Nothing that was loaded is lost; missed days load by themselves afterwards.';
  return said + rest;
}
