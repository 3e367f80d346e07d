import { isRecord } from '~/lib/is-record';
import type { RuntimeConfig } from '~/api/types';

const isConfig = (value: unknown): value is RuntimeConfig => isRecord(value) && isRecord(value.firebase);

/** Without options, so that the request uses the preload of index.html. */
async function fetchConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json');
  const body: unknown = await response.json();
  if (!response.ok || !isConfig(body)) throw new Error('Failed to load the settings of this instance. Reload the page.');
  return body;
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
