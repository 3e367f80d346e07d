import type { TestApp } from './app.js';
import { expectStatus } from './factories.js';
import type { Caller } from './http.js';

export interface ShownPage {
  status: number;
  html: string;
  headers: Headers;
}

/** Requests a page like a browser, without a sign-in. */
export async function show(app: TestApp, path: string): Promise<ShownPage> {
  const answer = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

/** Creates a link to reconnect an app; returns its path. */
export async function shareLink(call: Caller, appPath: string): Promise<string> {
  const { body } = expectStatus(await call.post<{ url: string }>(`${appPath}/share-link`), 201);
  return new URL(body.url).pathname;
}

export interface ConsentAnswer {
  decision?: 'allow' | 'deny';
  /** Scopes that the user grants; all by default. */
  scopes?: string[];
  /** Scopes removed from the URL: it passes through the browser, so a user can edit it. */
  without?: string[];
}

/** Answers the platform's consent page as a user of the sandbox; returns the path of the redirect. */
export async function consentAt(
  givenUrl: string,
  user: string,
  { decision = 'allow', scopes, without = [] }: ConsentAnswer = {},
): Promise<string> {
  const authorizeUrl = withoutScopes(givenUrl, without);
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

/** The whole flow of a link's holder: its page, the platform's consent page, and the result page. */
export async function useLink(app: TestApp, path: string, user: string, answer: ConsentAnswer = {}): Promise<ShownPage> {
  const start = await show(app, `${path}/start`);
  if (start.status !== 302) return start;
  const back = await show(app, await consentAt(start.headers.get('location') ?? '', user, answer));
  return show(app, back.headers.get('location') ?? '/no-landing');
}

function withoutScopes(authorizeUrl: string, without: string[]): string {
  const url = new URL(authorizeUrl);
  const asked = (url.searchParams.get('scope') ?? '').split(' ');
  if (without.length > 0) url.searchParams.set('scope', asked.filter((scope) => !without.includes(scope)).join(' '));
  return url.href;
}
