import { isRecord } from '~/lib/is-record';
import { providerWords } from '~/domain/accounts/providers';
import { readJson, storage } from '~/lib/storage';
import type { Destination } from '~/api/types';
import type { FormStart } from './use-destination-form';

const keyOf = (organizationId: string, provider: string): string => `draft:destination:${organizationId}:${provider}`;

const isStart = (value: unknown): value is FormStart =>
  isRecord(value) && typeof value.name === 'string' && isRecord(value.settings);

/** What was typed before somebody left for a sign-in. Secrets are never part of it. */
export const keepStart = (organizationId: string, provider: string, start: FormStart): void =>
  storage.set(keyOf(organizationId, provider), JSON.stringify(start));

export const forgetStart = (organizationId: string, provider: string): void => storage.remove(keyOf(organizationId, provider));

export function startOf(organizationId: string, provider: string, saved: Destination | null): FormStart {
  if (saved) return { name: saved.name, settings: saved.settings };
  const kept = readJson(keyOf(organizationId, provider), isStart);
  return kept ?? { name: provider === 'postgresql' ? 'Warehouse' : providerWords(provider).name, settings: {} };
}
