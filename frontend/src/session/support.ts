import { getIntercomHash } from '~/api/accounts';
import { loadConfig } from '~/api/http/config';

type Messenger = typeof import('./messenger');

let messenger: Messenger | null = null;
/** Increases with every change of the user, so that late responses for an earlier user are ignored. */
let generation = 0;

/** Sends no user id without an identity proof, because any visitor could claim it. */
function identityOf(userId: string, proof: { userHash: string | null; userJwt: string | null }) {
  if (proof.userHash === null) return {};
  return { user_id: userId, user_hash: proof.userHash, ...(proof.userJwt === null ? {} : { intercom_user_jwt: proof.userJwt }) };
}

/** Opens the messenger. It is loaded shortly after the sign-in. */
export const openMessenger = (): void => messenger?.openMessenger();

/**
 * Starts the support messenger for the signed-in user; null when no one is signed in. Without a configured messenger nothing is
 * loaded. Errors here do not affect the product.
 */
export async function updateSupport(userId: string | null): Promise<void> {
  generation += 1;
  const own = generation;
  if (userId === null) {
    messenger?.endMessenger();
    messenger = null;
    return;
  }
  const { intercom } = await loadConfig();
  if (!intercom || own !== generation) return;
  const proof = await getIntercomHash(userId);
  if (proof === null || own !== generation) return;
  const loaded = await import('./messenger');
  if (own !== generation) return;
  messenger = loaded;
  messenger.showMessenger({ api_base: intercom.apiBase, app_id: intercom.appId, ...identityOf(userId, proof) });
}
