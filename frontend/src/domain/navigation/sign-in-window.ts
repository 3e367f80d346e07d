/**
 * A platform's sign-in runs in a small window of its own. Where it lands, that window asks on a channel whether somebody waits for
 * its `state`; the page that does takes the answer over, and the window closes. A channel rather than `opener`: platforms cut the tie
 * between the two windows (Cross-Origin-Opener-Policy).
 */
const CHANNEL = 'tributary-sign-in';

/** The size the specification gives to sign-in windows. */
const WIDTH = 500;
const HEIGHT = 600;
/** Below this a window of its own is a tab that has to be found again: the page itself goes. */
const NARROW = '(max-width: 767.98px)';
/** A page in the same browser answers within a few milliseconds. */
const HANDOVER_MS = 250;
const WATCH_MS = 500;

interface Message {
  kind: 'landed' | 'taken';
  state: string;
  /** Path and query of the landing. */
  path: string;
}

/** To be called by a click itself, or the browser blocks it. Null: the page has to go instead. */
export function openSignInWindow(): Window | null {
  if (matchMedia(NARROW).matches) return null;
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 2);
  return open('about:blank', '_blank', `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
}

interface Waiting {
  onAnswer: (path: string) => void;
  /** The window is gone and nothing came; an answer that comes after all still counts. */
  onClosed: () => void;
}

/** Waits until the window with this `state` has landed; returns how to stop. */
export function awaitAnswer(state: string, child: Window, { onAnswer, onClosed }: Waiting): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let goneFor = 0;
  // A window whose tie was cut reads as closed while it is still in front: only a page that is in front itself believes it.
  const watch = setInterval(() => {
    goneFor = child.closed && document.hasFocus() ? goneFor + 1 : 0;
    if (goneFor === 2) onClosed();
  }, WATCH_MS);
  const stop = () => {
    clearInterval(watch);
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

/** Asks whether somebody waits for this answer; true when it was taken over. */
export function offerAnswer(state: string, path: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isTaken);
    };
    const timer = setTimeout(() => end(false), HANDOVER_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'taken' && data.state === state) end(true);
    };
    channel.postMessage({ kind: 'landed', state, path } satisfies Message);
  });
}
