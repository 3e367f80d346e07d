import { boot, Intercom, shutdown, update } from '@intercom/messenger-js-sdk';

/** What the messenger is started with; names are Intercom's. */
export interface MessengerSettings {
  api_base: string;
  app_id: string;
  user_id?: string;
  user_hash?: string;
  intercom_user_jwt?: string;
}

let isLoaded = false;
let isShown = false;

/** The library knows its three addresses by region and overwrites any other. */
function regionOf(apiBase: string): 'us' | 'eu' | 'ap' {
  const { hostname } = new URL(apiBase);
  return hostname.includes('.eu.') ? 'eu' : hostname.includes('.au.') ? 'ap' : 'us';
}

function load(settings: MessengerSettings): void {
  Intercom({ ...settings, region: regionOf(settings.api_base) });
  // Intercom's own script reads these when it arrives, later.
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

/**
 * Ends the conversation in this browser, so that the next user cannot read it.
 * @public loaded with import()
 */
export function endMessenger(): void {
  window.intercomSettings = undefined;
  shutdown();
  isShown = false;
}
