import type { BrowserContext } from '@playwright/test';

/**
 * Replaces https://apis.google.com/js/api.js, the only external script of the sign-in library. It opens the library's helper page in
 * an iframe and passes messages to and from it, so that the window works without internet access.
 */
const script = `(() => {
  const receivers = new Map();
  const replies = new Map();
  let sent = 0;
  let reportPeer;
  const peerReady = new Promise((resolve) => { reportPeer = resolve; });
  const channelTo = (getWindow) => ({
    register: (type, receiver) => receivers.set(type, receiver),
    send: (type, data, onReply) => {
      sent += 1;
      if (onReply) replies.set(sent, onReply);
      getWindow().postMessage({ helper: 'ask', id: sent, type, data }, '*');
    },
    restyle: () => Promise.resolve(),
    ping: (onAnswer) => peerReady.then(() => { onAnswer?.(); return []; }),
  });
  window.addEventListener('message', async ({ data: message, source }) => {
    if (!message || !message.helper) return;
    reportPeer();
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

/** Makes the Google window work offline with the account page of the Auth emulator. */
export async function withGoogleWindow(context: BrowserContext): Promise<void> {
  await context.route('https://apis.google.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await context.route(/https:\/\/(unpkg\.com|fonts\.(googleapis|gstatic)\.com)\//, (route) => route.abort());
}
