import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';

/** A token may be rejected before its expiry. The request is sent once more with another one. */
export async function sendAuthorized(
  baseUrl: string,
  accessToken: AccessTokenProvider,
  context: ConnectorContext,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const send = (token: string) =>
    sendRequest({ baseUrl, serviceName: 'Google' }, context, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    });
  const token = await accessToken.accessToken(context.signal);
  const answer = await send(token);
  if (answer.status !== 401) return answer;
  await answer.text();
  return send(await accessToken.accessToken(context.signal, { refused: token }));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
