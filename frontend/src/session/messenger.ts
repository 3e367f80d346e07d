import { boot, Intercom, show, shutdown, update } from '@intercom/messenger-js-sdk';

/** The settings of the messenger, with Intercom's names. */
export interface MessengerSettings {
  api_base: string;
  app_id: string;
  user_id?: string;
  user_hash?: string;
  intercom_user_jwt?: string;
}

let isLoaded = false;
let isShown = false;

/** The library derives one of three URLs from the region and overwrites any other URL. */
function regionOf(apiBase: string): 'us' | 'eu' | 'ap' {
  const { hostname } = new URL(apiBase);
  return hostname.includes('.eu.') ? 'eu' : hostname.includes('.au.') ? 'ap' : 'us';
}

function load(settings: MessengerSettings): void {
  Intercom({ ...settings, region: regionOf(settings.api_base) });
  // Intercom's script is loaded later and reads these settings.
  window.intercomSettings = { ...window.intercomSettings, ...settings };
}

/**
 * Starts the messenger for a user, or updates the user's token.
 * @public loaded with import()
 */
export function showMessenger(settings: MessengerSettings): void {
  if (!isLoaded) load(settings);
  else if (isShown) update(settings);
  else boot(settings);
  isLoaded = true;
  isShown = true;
}

/** @public loaded with import() */
export const openMessenger = (): void => show();

/**
 * Ends the conversation in this browser, so that the next user cannot read it.
 * @public loaded with import()
 */
export function endMessenger(): void {
  window.intercomSettings = undefined;
  shutdown();
  isShown = false;
}
