import { googleOauth } from '../src/connectors/kit/oauth/google-oauth.js';

const ADS_SCOPE = 'https://www.googleapis.com/auth/adwords';

/** An access token of a user of the sandbox, obtained through its consent page. */
export async function signIn(sandboxUrl: string, user: string, scope = ADS_SCOPE): Promise<string> {
  const oauth = googleOauth(
    {
      clientId: 'bench',
      clientSecret: 'bench',
      authorizeUrl: `${sandboxUrl}/google-ads/oauth/auth`,
      tokenUrl: `${sandboxUrl}/google-ads/oauth/token`,
      revokeUrl: `${sandboxUrl}/google-ads/oauth/revoke`,
      now: () => new Date(),
    },
    [{ scope, reason: 'To read reports.', isRequired: true }],
  );
  const redirectUri = 'http://127.0.0.1/callback';
  const { url, codeVerifier } = await oauth.startAuthorization({ redirectUri, state: 'bench' });
  const body = new URLSearchParams({ user, decision: 'allow', scope });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return (await oauth.exchangeCode({ code, redirectUri, codeVerifier }, new AbortController().signal)).accessToken;
}
