import { EventStreamParser, reconnectDelayMs } from '~/lib/server-sent-events';
import type { ServerSentEvent } from '~/lib/server-sent-events';
import { authorizationHeaders, checkAccess } from '~/api/http/client';

/** The server sends a comment every 15 s. After three missed comments the stream counts as broken. */
const SILENCE_LIMIT_MS = 45_000;
/** Forbidden, not found, or too many streams of one user: retrying earlier cannot help. */
const REJECTED = [403, 404, 429];
const REJECTED_DELAY_MS = 60_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

async function readStream(
  body: ReadableStream<Uint8Array>,
  abort: () => void,
  onEvent: (event: ServerSentEvent) => void,
): Promise<void> {
  const parser = new EventStreamParser();
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let watchdog = setTimeout(abort, SILENCE_LIMIT_MS);
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(abort, SILENCE_LIMIT_MS);
      parser.push(chunk.value).forEach(onEvent);
    }
  } finally {
    clearTimeout(watchdog);
  }
}

interface Listener {
  onOpen: () => void;
  onClose: () => void;
  /** The server rejected the stream. No event arrives for at least a minute, so reload the data on the page. */
  onRejected: () => void;
  onEvent: (event: ServerSentEvent) => void;
}

function rejectedDelayMs(response: Response): number {
  const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000;
  return Math.max(REJECTED_DELAY_MS, Number.isFinite(retryAfterMs) ? retryAfterMs : 0);
}

/** Keeps one event stream open until the signal aborts. Uses fetch, because EventSource cannot send the Authorization header. */
export async function followEvents(url: string, signal: AbortSignal, listener: Listener): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const connection = new AbortController();
    let delayMs = reconnectDelayMs(attempt);
    const end = () => connection.abort();
    signal.addEventListener('abort', end);
    try {
      const headers = { ...(await authorizationHeaders()), Accept: 'text/event-stream' };
      const response = await fetch(url, { headers, signal: connection.signal, cache: 'no-store' });
      await checkAccess(response);
      if (response.ok && response.body) {
        attempt = 0;
        delayMs = reconnectDelayMs(attempt);
        listener.onOpen();
        await readStream(response.body, end, listener.onEvent);
      } else if (REJECTED.includes(response.status)) {
        delayMs = rejectedDelayMs(response);
        listener.onRejected();
      }
    } catch {
      // Streams usually end with a connection error. The loop reconnects.
    }
    signal.removeEventListener('abort', end);
    listener.onClose();
    await pause(delayMs, signal);
  }
}
