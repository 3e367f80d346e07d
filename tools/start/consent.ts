import type { ProductClient } from './product-client.ts';

const CONSENTING_USER = 'demo@example.com';

/** Value of an attribute in a tag, with the few entities that a URL can hold. */
function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&') ?? null;
}

/** The fields a browser would send with the consent page's form. */
function readForm(html: string, pageUrl: string): { action: URL; fields: URLSearchParams } {
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/i.exec(html)?.[0];
  if (!form) throw new Error('The consent page has no form');
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type');
    const isSent = type === 'hidden' || (type === 'checkbox' && /\bchecked\b/i.test(tag));
    if (name && isSent) fields.append(name, attribute(tag, 'value') ?? 'on');
  }
  return { action: new URL(attribute(form, 'action') || pageUrl, pageUrl), fields };
}

/** Says yes on the provider's consent page and gives the address it sends the browser to. */
async function consent(authorizeUrl: string): Promise<URL> {
  const page = await fetch(authorizeUrl);
  if (!page.ok) throw new Error(`The consent page answered ${page.status}: ${(await page.text()).slice(0, 300)}`);
  const { action, fields } = readForm(await page.text(), page.url);
  fields.set('user', CONSENTING_USER);
  const answer = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (!location) throw new Error(`The consent page answered ${answer.status} and sent nobody back`);
  return new URL(location, action);
}

/** Connects an app as its user would in the browser. */
export async function connectApp(client: ProductClient, appsPath: string, appId: string): Promise<void> {
  const { authorizeUrl } = await client.post<{ authorizeUrl: string }>(`${appsPath}/${appId}/oauth/start`);
  const callback = await consent(authorizeUrl);
  // The callback would only carry code and state on to the web app, which makes this call.
  const state = callback.searchParams.get('state');
  const code = callback.searchParams.get('code');
  if (!state || !code) throw new Error(`The provider refused: ${callback.search}`);
  await client.post(`${appsPath}/oauth/complete`, { state, code });
}
