import { type ConnectorError, ReconnectNeeded, RetryLater } from '../../connectors/kit/errors.js';
import { type App, Prisma } from '../../generated/prisma/client.js';

const automatic = 'No action needed: Tributary retries automatically';
const BUSY_SECONDS = 15;

/** Another process holds the lock of the app's row. */
export function busyApp(cause?: unknown): RetryLater {
  const message = 'Another process is still renewing the sign-in.';
  return new RetryLater({ code: 'app.busy', message, action: automatic, retryAfterSeconds: BUSY_SECONDS }, { cause });
}

export function tooSlow(providerName: string, cause: unknown): RetryLater {
  const message = `The sign-in service of ${providerName} took too long to answer.`;
  return new RetryLater({ code: 'app.refresh_too_slow', message, action: automatic }, { cause });
}

/** `retryAt`: milliseconds since 1970. */
export function unconfirmedRejection(providerName: string, retryAt: number, cause?: unknown): RetryLater {
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - Date.now()) / 1_000));
  const message = `${providerName} rejected the renewal of the sign-in. This can be temporary.`;
  return new RetryLater({ code: 'app.perhaps_dead', message, action: automatic, retryAfterSeconds }, { cause });
}

const GIVEN_UP = '.refresh_given_up';

/** The renewals have failed for days, and the platform has not rejected the sign-in. */
export function givenUp(provider: string, providerName: string, error: ConnectorError): ReconnectNeeded {
  return new ReconnectNeeded(
    {
      code: provider + GIVEN_UP,
      message: `The sign-in at ${providerName} could not be renewed for four days. Last error: ${error.message}`,
      action: `Reconnect with ${providerName}`,
    },
    { cause: error },
  );
}

export const saysGivenUp = ({ code }: { code: string }): boolean => code.endsWith(GIVEN_UP);

export const wasGivenUp = ({ state, failure }: Pick<App, 'state' | 'failure'>): boolean =>
  state === 'needs_reauth' && saysGivenUp({ code: '', ...(failure as object | null) });

/** Error 55P03 of PostgreSQL, as reported by Prisma. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2010' && JSON.stringify(error.meta).includes('55P03');
