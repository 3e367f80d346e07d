import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';

/** What the catalog says of a provider, as far as screens show it outside of the catalog. */
interface CatalogProvider {
  provider: string;
  name: string;
  category: string;
  roles: string[];
}

/** The catalog of this instance. It is loaded before the pages of an organization, and does not change while they are open. */
const known = new Map<string, CatalogProvider>();

/** In the browser, so that the next visit shows stored pages before the server has responded. Contains no data of users. */
const STORAGE_KEY = 'tributary.providers';

let remembered: CatalogProvider[] | null = null;

export function rememberProviders(connectors: CatalogProvider[]): void {
  if (remembered === connectors) return;
  remembered = connectors;
  for (const { provider, name, category, roles } of connectors) known.set(provider, { provider, name, category, roles });
  storage.set(STORAGE_KEY, JSON.stringify([...known.values()]));
}

/** Fills in the providers of the last visit. Returns false if none are known. */
export function restoreProviders(): boolean {
  if (known.size === 0) for (const entry of readJson(STORAGE_KEY, areProviders) ?? []) known.set(entry.provider, entry);
  return known.size > 0;
}

const areProviders = (value: unknown): value is CatalogProvider[] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      isRecord(entry) &&
      [entry['provider'], entry['name'], entry['category']].every((text) => typeof text === 'string') &&
      Array.isArray(entry['roles']),
  );

/** The name of a provider, its URL segment and its sign-in. */
export interface ProviderWords {
  name: string;
  /** The name on the consent page: Google, not Google Ads. Null: the same as the provider's name. */
  signIn: string | null;
  /** The segment in `/app/{id}/…/configuration`; null for providers without a specific page. */
  segment: 'google' | 'meta' | 'microsoft' | 'bigquery' | 'mixpanel' | 'custom' | null;
}

/** Only providers with pages of their own, whose routes are fixed (product-spec §2). */
const withPages: Record<string, Pick<ProviderWords, 'signIn' | 'segment'>> = {
  google_ads: { signIn: 'Google', segment: 'google' },
  meta_ads: { signIn: 'Meta', segment: 'meta' },
  microsoft_ads: { signIn: 'Microsoft', segment: 'microsoft' },
  bigquery: { signIn: 'Google', segment: 'bigquery' },
  mixpanel: { signIn: null, segment: 'mixpanel' },
  custom: { signIn: null, segment: 'custom' },
};

export const providerWords = (provider: string): ProviderWords => ({
  name: known.get(provider)?.name ?? provider,
  ...(withPages[provider] ?? { signIn: null, segment: null }),
});

/** `Google`, `Meta`, `Microsoft`; the provider's name when its sign-in has no other name. */
export const signInName = (provider: string): string => {
  const { signIn, name } = providerWords(provider);
  return signIn ?? name;
};

/** The platforms with ad accounts and pages of their own. */
export const adPlatforms = ['google_ads', 'meta_ads', 'microsoft_ads'] as const;
export type AdPlatform = (typeof adPlatforms)[number];

export const isAdPlatform = (provider: string): provider is AdPlatform => adPlatforms.some((one) => one === provider);

/** External systems push events to a custom app. As a source, it has no accounts to choose from. */
export const isCustomApp = (provider: string): boolean => provider === 'custom';

export const isDestination = (provider: string): boolean => known.get(provider)?.roles.includes('destination') ?? false;

/** A source whose accounts users choose: neither pushed events nor the source of a payment. */
export function hasAccountsToChoose(provider: string): boolean {
  const entry = known.get(provider);
  return entry !== undefined && entry.roles.includes('source') && !['custom', 'payments'].includes(entry.category);
}

/** The letters of a provider without a logo: `Acme Ads` is AA. */
export const initialsOf = (provider: string): string =>
  providerWords(provider)
    .name.split(/[\s_]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
