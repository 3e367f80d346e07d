import { z } from 'zod';
import { type ConnectorError, CorruptAnswer, FixSettings, ReconnectNeeded, RetryLater } from '../kit/errors.js';
import type { HttpAnswer } from '../kit/http.js';
import { rights } from './rights.js';

const answerSchema = z.object({
  error: z.object({ type: z.string().optional(), code: z.string().optional(), message: z.string().optional() }),
});
const retried = 'No action needed: Tributary retries automatically';
const RIGHT = /'(rak_\w+)'/;

/** Stripe's error answer as one of the engine's errors. Messages of Stripe may quote a part of the key, so they are not repeated. */
export function errorOf(answer: HttpAnswer, text: string): ConnectorError {
  const { code, message = '' } = parse(text);
  const providerRequestId = answer.requestId;
  if (answer.status === 401)
    return new ReconnectNeeded({
      code: code === 'api_key_expired' ? 'stripe.key_expired' : 'stripe.key_invalid',
      message:
        code === 'api_key_expired' ? 'The restricted key of Stripe has expired.' : 'Stripe does not know the restricted key.',
      action: 'Create a restricted key in Stripe and enter it here',
      providerRequestId,
    });
  if (answer.status === 403) return permissionMissing([RIGHT.exec(message)?.[1] ?? 'unknown'], providerRequestId);
  if (answer.status === 429)
    return new RetryLater({
      ...{ code: 'stripe.rate_limited', message: 'Stripe limits the number of requests.', action: retried, providerRequestId },
      ...{ failureClass: 'quota', retryAfterSeconds: retryAfterOf(answer) },
    });
  if (answer.status >= 500 || answer.status === 409)
    return new RetryLater({
      code: 'stripe.unavailable',
      message: `Stripe could not answer (HTTP ${answer.status}).`,
      action: retried,
      providerRequestId,
    });
  return new FixSettings({
    code: `stripe.${code ?? `http_${answer.status}`}`,
    message: `Stripe rejected a request (HTTP ${answer.status}${code ? `, ${code}` : ''}).`,
    action: 'Check the restricted key, then run again',
    providerRequestId,
  });
}

/** All missing permissions in one message, with one action. */
export function permissionMissing(names: string[], providerRequestId: string | null = null): FixSettings {
  const labels = names.map((name) => rights.find((right) => right.name === name)?.label ?? name);
  return new FixSettings({
    code: 'stripe.permission_missing',
    message: `The restricted key has no permission to read: ${labels.join(', ')}.`,
    action: `In Stripe, give the key read access to ${labels.join(', ')}`,
    failureClass: 'permission',
    providerRequestId,
  });
}

export const malformed = (what: string, cause?: unknown): CorruptAnswer =>
  new CorruptAnswer(
    {
      code: 'stripe.malformed_answer',
      message: `Stripe returned a list of ${what} that could not be read.`,
      action: 'Run again',
    },
    { cause },
  );

export const pageProblems = {
  rowRepeated: (key: string) =>
    new CorruptAnswer({ code: 'stripe.row_repeated', message: `Stripe listed an event twice (${key}).`, action: retried }),
  dayOutside: (day: string) =>
    new CorruptAnswer({
      code: 'stripe.day_outside',
      message: `Stripe listed an event of ${day}, which was not requested.`,
      action: retried,
    }),
};

function parse(text: string): { code?: string | undefined; message?: string | undefined } {
  try {
    return answerSchema.parse(JSON.parse(text)).error;
  } catch {
    return {};
  }
}

function retryAfterOf({ headers }: HttpAnswer): number | null {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}
