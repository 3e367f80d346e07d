/**
 * A platform's sign-in runs in a pop-up window. The landing page in the pop-up offers its `state` on a broadcast channel. The page that
 * waits for this `state` accepts it, and the pop-up closes. `window.opener` does not work: platforms clear it with a
 * Cross-Origin-Opener-Policy.
 */
const CHANNEL = 'tributary-sign-in';

/** The size of sign-in windows in the specification. */
const WIDTH = 500;
const HEIGHT = 600;
/** On narrow screens a pop-up opens as a tab, so the sign-in uses the same page instead. */
const NARROW = '(max-width: 767.98px)';
/** A page in the same browser answers within a few milliseconds. */
const OFFER_TIMEOUT_MS = 250;
const CLOSED_CHECK_MS = 500;

interface Message {
  kind: 'landed' | 'taken';
  state: string;
  /** The path and query of the landing page. */
  path: string;
}

/** Call it directly in a click handler, or the browser blocks the window. Null: use the same page instead. */
export function openSignInWindow(): Window | null {
  if (matchMedia(NARROW).matches) return null;
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 2);
  return open('about:blank', '_blank', `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
}

interface Waiting {
  onAnswer: (path: string) => void;
  /** The window closed without an answer. A later answer is still accepted. */
  onClosed: () => void;
}

/** Waits for the landing page with this `state`. Returns a function that stops waiting. */
export function waitForAnswer(state: string, child: Window, { onAnswer, onClosed }: Waiting): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let closedChecks = 0;
  // With a cleared opener, an open window reports `closed`. It is only really closed when this page has the focus.
  const timer = setInterval(() => {
    closedChecks = child.closed && document.hasFocus() ? closedChecks + 1 : 0;
    if (closedChecks === 2) onClosed();
  }, CLOSED_CHECK_MS);
  const stop = () => {
    clearInterval(timer);
    channel.close();
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'landed' || data.state !== state) return;
    channel.postMessage({ kind: 'taken', state, path: data.path } satisfies Message);
    stop();
    onAnswer(data.path);
  };
  return stop;
}

/** Offers the answer to the page that waits for this `state`. True when a page accepted it. */
export function offerAnswer(state: string, path: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const end = (isAccepted: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isAccepted);
    };
    const timer = setTimeout(() => end(false), OFFER_TIMEOUT_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'taken' && data.state === state) end(true);
    };
    channel.postMessage({ kind: 'landed', state, path } satisfies Message);
  });
}
