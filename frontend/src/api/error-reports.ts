import { isMissingChunk } from '~/lib/reload-guard';
import { track } from './analytics';
import { NetworkProblem } from './http/problem';

/** Of one page load. A page that fails in a loop must not flood the server. */
const MAX_REPORTS = 10;
/** The limit of the server. */
const MAX_CHARACTERS = 2_000;

/** Who sees the error; null while nobody is signed in. Errors of signed-out users are not sent. */
let viewer: { organizationId: string | null } | null = null;
const reported = new Set<string>();

export const setErrorViewer = (next: typeof viewer): void => {
  viewer = next;
};

const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_CHARACTERS);

/** A lost connection and a replaced script are not errors of the product. */
const isExpected = (error: unknown): boolean => error instanceof NetworkProblem || isMissingChunk(error);

/** Sends an unexpected error of the web app as `Error Received`, each text once. */
export function reportError(error: unknown): void {
  if (viewer === null || isExpected(error)) return;
  const message = textOf(error);
  if (reported.has(message) || reported.size >= MAX_REPORTS) return;
  reported.add(message);
  const company = viewer.organizationId === null ? {} : { company_id: viewer.organizationId };
  track({ name: 'Error Received', properties: { ...company, type: 'browser', error_message: message } });
}

/** Reports errors that no code handles. Returns a function that stops it. */
export function followUnhandledErrors(target: Window): () => void {
  const onError = (event: ErrorEvent) => {
    if (event.error) reportError(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent) => reportError(event.reason);
  target.addEventListener('error', onError);
  target.addEventListener('unhandledrejection', onRejection);
  return () => {
    target.removeEventListener('error', onError);
    target.removeEventListener('unhandledrejection', onRejection);
  };
}
