import type { TestApp } from './app.js';

export interface ShownPage {
  status: number;
  html: string;
  headers: Headers;
}

/** As a browser asks: for a page, without a sign-in. */
export async function show(app: TestApp, path: string): Promise<ShownPage> {
  const answer = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

/** Answers the platform's consent page as one of the sandbox's users; gives the path that the browser is sent back to. */
export async function consentAt(
  authorizeUrl: string,
  user: string,
  { decision = 'allow', scopes }: { decision?: 'allow' | 'deny'; scopes?: string[] } = {},
): Promise<string> {
  const asked = (new URL(authorizeUrl).searchParams.get('scope') ?? '').split(/[ ,]/);
  const form = new URLSearchParams([
    ['user', user],
    ['decision', decision],
    ...(scopes ?? asked).map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid');
  return pathname + search;
}

/** The whole way of somebody who was sent a link: its page, the platform's consent, and the page that says how it went. */
export async function useLink(
  app: TestApp,
  path: string,
  user: string,
  answer: Parameters<typeof consentAt>[2] = {},
): Promise<ShownPage> {
  const start = await show(app, `${path}/start`);
  if (start.status !== 302) return start;
  const back = await show(app, await consentAt(start.headers.get('location') ?? '', user, answer));
  return show(app, back.headers.get('location') ?? '/no-landing');
}
