import type { ProductClient } from './product-client.ts';

/** The sandbox's user who reaches all usual accounts. */
const CONSENTING_USER = 'demo@example.com';

/** Value of an attribute in a tag. Decodes the entities that occur in URLs. */
function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&') ?? null;
}

/** The fields that a browser sends with the form of the consent page. */
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

/** Accepts on the provider's consent page. Returns the URL that it redirects to. */
async function consent(authorizeUrl: string, user: string): Promise<URL> {
  const page = await fetch(authorizeUrl);
  if (!page.ok) throw new Error(`The consent page returned ${page.status}: ${(await page.text()).slice(0, 300)}`);
  const { action, fields } = readForm(await page.text(), page.url);
  fields.set('user', user);
  const answer = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (!location) throw new Error(`The consent page returned ${answer.status} without a redirect`);
  return new URL(location, action);
}

/** Connects an app with the requests that a browser sends. */
export async function connectApp(client: ProductClient, appsPath: string, appId: string, user = CONSENTING_USER): Promise<void> {
  const { authorizeUrl } = await client.post<{ authorizeUrl: string }>(`${appsPath}/${appId}/oauth/start`);
  const callback = await consent(authorizeUrl, user);
  // The callback only passes code and state to the web app, which sends this request.
  const state = callback.searchParams.get('state');
  const code = callback.searchParams.get('code');
  if (!state || !code) throw new Error(`The provider rejected the sign-in: ${callback.search}`);
  await client.post(`${appsPath}/oauth/complete`, { state, code });
}
