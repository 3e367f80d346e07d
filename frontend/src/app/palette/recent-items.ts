import { readJson, storage } from '~/lib/storage';

const MAX_RECENT = 5;

const keyOf = (organizationId: string): string => `palette:${organizationId}`;

const isIds = (value: unknown): value is string[] => Array.isArray(value) && value.every((id) => typeof id === 'string');

/** IDs of the items that were last used in the palette, newest first. */
export const readRecentIds = (organizationId: string): string[] => readJson(keyOf(organizationId), isIds) ?? [];

export function saveRecentId(organizationId: string, id: string): void {
  const others = readRecentIds(organizationId).filter((known) => known !== id);
  storage.set(keyOf(organizationId), JSON.stringify([id, ...others].slice(0, MAX_RECENT)));
}
