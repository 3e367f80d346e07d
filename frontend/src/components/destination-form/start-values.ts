import { isRecord } from '~/lib/is-record';
import { providerWords } from '~/domain/accounts/providers';
import { readJson, storage } from '~/lib/storage';
import type { Destination } from '~/api/types';
import type { FormStart } from './use-destination-form';

const keyOf = (organizationId: string, provider: string): string => `draft:destination:${organizationId}:${provider}`;

const isStart = (value: unknown): value is FormStart =>
  isRecord(value) && typeof value.name === 'string' && isRecord(value.settings);

/** Stores the input before a sign-in leaves the page. Secrets are never stored. */
export const saveFormStart = (organizationId: string, provider: string, start: FormStart): void =>
  storage.set(keyOf(organizationId, provider), JSON.stringify(start));

export const deleteFormStart = (organizationId: string, provider: string): void =>
  storage.remove(keyOf(organizationId, provider));

export function formStartOf(organizationId: string, provider: string, saved: Destination | null): FormStart {
  if (saved) return { name: saved.name, settings: saved.settings };
  const stored = readJson(keyOf(organizationId, provider), isStart);
  return stored ?? { name: provider === 'postgresql' ? 'Warehouse' : providerWords(provider).name, settings: {} };
}
