import type { ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, RetryLater } from '../kit/errors.js';
import { sendRequest } from '../kit/http.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';

/** The download address has expired. It is valid for five minutes, and each poll returns a new one. */
export class AddressExpired extends Error {}

const expiredStatuses = new Set([401, 403, 404, 410]);

/** The report file, as it arrives. Its address is a secret and belongs to another service, which must not get our token. */
export async function download(
  context: ConnectorContext,
  address: string,
  isPlainAllowed: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !isPlainAllowed) throw unsafeAddress();
  const http = { baseUrl: url.origin, serviceName: 'The Microsoft Advertising storage', requestIdHeader: 'x-ms-request-id' };
  const answer = await sendRequest(http, context, {
    method: 'GET',
    path: url.pathname,
    secretQuery: url.search.slice(1),
    headers: { accept: '*/*' },
  });
  if (answer.status === 200) return answer.body;
  await answer.text();
  if (expiredStatuses.has(answer.status)) throw new AddressExpired();
  throw new RetryLater({
    code: `microsoft_ads.download_${answer.status}`,
    message: 'The Microsoft Advertising storage did not return the report.',
    action: NOTHING_TO_DO,
    providerRequestId: answer.requestId,
  });
}

function unsafeAddress(): CorruptAnswer {
  return new CorruptAnswer({
    code: 'microsoft_ads.unsafe_address',
    message: 'Microsoft Advertising returned a report address without encryption. It was not requested.',
    action: NOTHING_TO_DO,
  });
}
