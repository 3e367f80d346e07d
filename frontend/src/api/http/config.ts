import { isRecord } from '~/lib/is-record';
import type { RuntimeConfig } from '~/api/types';

const isConfig = (value: unknown): value is RuntimeConfig => isRecord(value) && isRecord(value.firebase);

/** Without options, so that it takes up what index.html has begun to load. */
async function fetchConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json');
  const body: unknown = await response.json();
  if (!response.ok || !isConfig(body)) throw new Error('The server did not send its settings');
  return body;
}

let pending: Promise<RuntimeConfig> | null = null;

/** Public settings of this instance, asked for once. A failure is not remembered, so that the next call tries again. */
export function loadConfig(): Promise<RuntimeConfig> {
  pending ??= fetchConfig().catch((error: unknown) => {
    pending = null;
    throw error;
  });
  return pending;
}
