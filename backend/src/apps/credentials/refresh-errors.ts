import { RetryLater } from '../../connectors/kit/errors.js';
import { Prisma } from '../../generated/prisma/client.js';

const itself = 'Nothing to do: it is tried again by itself';
const BUSY_SECONDS = 15;

/** Somebody else holds the app's row, or held it for too long. */
export function busyApp(cause?: unknown): RetryLater {
  const message = 'The sign-in is being renewed elsewhere, which takes long.';
  return new RetryLater({ code: 'app.busy', message, action: itself, retryAfterSeconds: BUSY_SECONDS }, { cause });
}

export function tooSlow(providerName: string, cause: unknown): RetryLater {
  const message = `The sign-in service of ${providerName} took too long to answer.`;
  return new RetryLater({ code: 'app.refresh_too_slow', message, action: itself }, { cause });
}

/** `askAgainAt`: milliseconds since 1970. */
export function perhapsDead(providerName: string, askAgainAt: number, cause?: unknown): RetryLater {
  const retryAfterSeconds = Math.max(1, Math.ceil((askAgainAt - Date.now()) / 1_000));
  const message = `${providerName} refused to renew the sign-in, and is at times wrong about that: it is asked again.`;
  return new RetryLater({ code: 'app.perhaps_dead', message, action: itself, retryAfterSeconds }, { cause });
}

/** PostgreSQL's 55P03, as Prisma tells of it. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2010' && JSON.stringify(error.meta).includes('55P03');
