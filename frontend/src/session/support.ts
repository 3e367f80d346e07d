import { getIntercomHash } from '~/api/accounts';
import { loadConfig } from '~/api/http/config';

type Messenger = typeof import('./messenger');

let messenger: Messenger | null = null;
/** Counts who is here: an answer that comes after they have left is let fall. */
let turn = 0;

/** Without a proof nobody is named: anybody could claim to be them. */
function identityOf(userId: string, proof: { userHash: string | null; userJwt: string | null }) {
  if (proof.userHash === null) return {};
  return { user_id: userId, user_hash: proof.userHash, ...(proof.userJwt === null ? {} : { intercom_user_jwt: proof.userJwt }) };
}

/**
 * Lets support speak with whoever is signed in; null: nobody is. Nothing of the messenger is loaded where none is set up. What
 * fails here is no failure of the product.
 */
export async function followSupport(userId: string | null): Promise<void> {
  turn += 1;
  const mine = turn;
  if (userId === null) {
    messenger?.endMessenger();
    messenger = null;
    return;
  }
  const { intercom } = await loadConfig();
  if (!intercom || mine !== turn) return;
  const proof = await getIntercomHash(userId);
  if (proof === null || mine !== turn) return;
  const loaded = await import('./messenger');
  if (mine !== turn) return;
  messenger = loaded;
  messenger.showMessenger({ api_base: intercom.apiBase, app_id: intercom.appId, ...identityOf(userId, proof) });
}
