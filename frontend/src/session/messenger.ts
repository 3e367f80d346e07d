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

/** Starts the messenger as somebody, or tells it their newer proof. */
export function showMessenger(settings: MessengerSettings): void {
  if (!isLoaded) load(settings);
  else if (isShown) update(settings);
  else boot(settings);
  isLoaded = true;
  isShown = true;
}

/** Ends the conversation on this browser: the next person here must not read it. */
export function endMessenger(): void {
  window.intercomSettings = undefined;
  shutdown();
  isShown = false;
}
