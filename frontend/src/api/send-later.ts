/** A page that is opened on a slow computer shows its data within this time. */
const DELAY_MS = 5_000;

/** The part of a window that is used here. */
type Page = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/**
 * For requests that no page waits for: they do not compete with those of the page that opens. Leaving the page sends them at once.
 * Returns a function that cancels the request if it is not sent yet.
 */
export function sendLater(send: () => void, page: Page = window): () => void {
  const sendNow = () => {
    cancel();
    send();
  };
  const cancel = () => {
    clearTimeout(timer);
    page.removeEventListener('pagehide', sendNow);
  };
  const timer = setTimeout(sendNow, DELAY_MS);
  page.addEventListener('pagehide', sendNow);
  return cancel;
}
