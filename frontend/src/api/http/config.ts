import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';
import type { RuntimeConfig } from '~/api/types';

const isConfig = (value: unknown): value is RuntimeConfig => isRecord(value) && isRecord(value.firebase);

const STORED_CONFIG = 'config';
const FAILED = 'Failed to load the settings of this instance. Reload the page.';

/** Without options, so that the request uses the preload of index.html. */
async function fetchConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json').catch(() => null);
  // Without the network, data of the last visit is shown. It needs the settings of the last visit.
  if (response === null) return storedConfig();
  const body: unknown = await response.json();
  if (!response.ok || !isConfig(body)) throw new Error(FAILED);
  storage.set(STORED_CONFIG, JSON.stringify(body));
  return body;
}

function storedConfig(): RuntimeConfig {
  const config = readJson(STORED_CONFIG, isConfig);
  if (config === null) throw new Error(FAILED);
  return config;
}

let pending: Promise<RuntimeConfig> | null = null;

/** The public settings of this instance, requested once. A failure is not cached, so the next call retries. */
export function loadConfig(): Promise<RuntimeConfig> {
  pending ??= fetchConfig().catch((error: unknown) => {
    pending = null;
    throw error;
  });
  return pending;
}
