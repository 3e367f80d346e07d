import type { ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, RetryLater } from '../kit/errors.js';
import { sendRequest } from '../kit/http.js';
import { nothingToDo } from './errors.js';

/** The address no longer holds: it is good for five minutes, and another poll gives a new one. */
export class AddressExpired extends Error {}

const expiredStatuses = new Set([401, 403, 404, 410]);

/** The file of a report, as it arrives. Its address is a secret, and goes to a server of another product, without our token. */
export async function download(
  context: ConnectorContext,
  address: string,
  isPlainAllowed: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !isPlainAllowed) throw unsafeAddress();
  const http = { baseUrl: url.origin, serviceName: 'The storage of Microsoft Advertising', requestIdHeader: 'x-ms-request-id' };
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
    message: 'The storage of Microsoft Advertising did not give out the report.',
    action: nothingToDo,
    providerRequestId: answer.requestId,
  });
}

function unsafeAddress(): CorruptAnswer {
  return new CorruptAnswer({
    code: 'microsoft_ads.unsafe_address',
    message: 'Microsoft Advertising named an address for its report that is not encrypted. It was not asked.',
    action: nothingToDo,
  });
}
