import type { BrowserContext } from '@playwright/test';

/**
 * Stands in for https://apis.google.com/js/api.js, the one script that the sign-in library loads from outside: opens the library's
 * helper page in an iframe and carries messages to and from it, so that the window works on a machine without the internet.
 */
const script = `(() => {
  const receivers = new Map();
  const replies = new Map();
  let sent = 0;
  let peerSpoke;
  const firstWord = new Promise((resolve) => { peerSpoke = resolve; });
  const channelTo = (getWindow) => ({
    register: (type, receiver) => receivers.set(type, receiver),
    send: (type, data, onReply) => {
      sent += 1;
      if (onReply) replies.set(sent, onReply);
      getWindow().postMessage({ helper: 'ask', id: sent, type, data }, '*');
    },
    restyle: () => Promise.resolve(),
    ping: (onAnswer) => firstWord.then(() => { onAnswer?.(); return []; }),
  });
  window.addEventListener('message', async ({ data: message, source }) => {
    if (!message || !message.helper) return;
    peerSpoke();
    if (message.helper === 'answer') {
      replies.get(message.id)?.([message.data]);
      replies.delete(message.id);
    } else if (message.helper === 'ask') {
      const data = await receivers.get(message.type)?.(message.data);
      source.postMessage({ helper: 'answer', id: message.id, data }, '*');
    }
  });
  const context = {
    getParentIframe: () => {
      window.parent.postMessage({ helper: 'hello' }, '*');
      return channelTo(() => window.parent);
    },
    open: ({ url, where }, onOpen) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      frame.style.display = 'none';
      where.appendChild(frame);
      const channel = channelTo(() => frame.contentWindow);
      return Promise.resolve(onOpen ? onOpen(channel) : channel);
    },
  };
  window.gapi = {
    load: (_feature, options) => setTimeout(typeof options === 'function' ? options : options.callback),
    iframes: { getContext: () => context, CROSS_ORIGIN_IFRAMES_FILTER: {}, Iframe: class {} },
  };
  const onload = new URL(document.currentScript.src).searchParams.get('onload');
  setTimeout(() => { if (onload) window[onload]?.(); else window.gapi_onload?.(); });
})();`;

/** Lets the Google window work offline, against the Auth emulator's own account page. */
export async function withGoogleWindow(context: BrowserContext): Promise<void> {
  await context.route('https://apis.google.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await context.route(/https:\/\/(unpkg\.com|fonts\.(googleapis|gstatic)\.com)\//, (route) => route.abort());
}
