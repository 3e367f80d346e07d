import { exchangeCode, startAuthorization } from '../src/connectors/google-ads/oauth.js';

/** An access token of a user of the sandbox, by way of its consent page. */
export async function signIn(sandboxUrl: string, user: string): Promise<string> {
  const oauth = {
    clientId: 'bench',
    clientSecret: 'bench',
    authorizeUrl: `${sandboxUrl}/google-ads/oauth/auth`,
    tokenUrl: `${sandboxUrl}/google-ads/oauth/token`,
    revokeUrl: `${sandboxUrl}/google-ads/oauth/revoke`,
    now: () => new Date(),
  };
  const redirectUri = 'http://127.0.0.1/callback';
  const { url, codeVerifier } = await startAuthorization(oauth, { redirectUri, state: 'bench' });
  const body = new URLSearchParams({ user, decision: 'allow', scope: 'https://www.googleapis.com/auth/adwords' });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return (await exchangeCode(oauth, { code, redirectUri, codeVerifier }, new AbortController().signal)).accessToken;
}
