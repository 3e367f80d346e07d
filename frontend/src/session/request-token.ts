import { NetworkProblem } from '~/api/http/problem';
import { identityCode, identityErrorText } from './identity-errors';
import { loadIdentity } from './load-identity';

/** The ID token for a request. Pages show a failure like one of the request itself: it needs the provider's answer every hour. */
export async function readRequestToken(read = async () => (await loadIdentity()).token()): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    const code = identityCode(error);
    if (code === 'network-request-failed') throw new NetworkProblem(identityErrorText(error));
    throw code === null ? error : new Error(identityErrorText(error), { cause: error });
  }
}
