import { storage } from '~/lib/storage';

const OWNER_KEY = 'inputOwner';

/** Drafts of the wizards and forms, and the items that were last used in the palette. */
const PREFIXES = ['draft:', 'palette:'];

/** Another user of the same browser must not continue the drafts of the previous one. The same user finds them after a new sign-in. */
export function keepInputOf(uid: string): void {
  const owner = storage.get(OWNER_KEY);
  if (owner === uid) return;
  if (owner !== null) storage.removePrefixes(...PREFIXES);
  storage.set(OWNER_KEY, uid);
}

/** After an explicit sign-out nothing of the user stays in the browser. */
export function clearKeptInput(): void {
  storage.removePrefixes(...PREFIXES);
  storage.remove(OWNER_KEY);
  storage.remove('lastRoute');
}
