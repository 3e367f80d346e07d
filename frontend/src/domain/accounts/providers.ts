/** What a provider is called, where it stands in addresses, and whose sign-in opens it. */
export interface ProviderWords {
  name: string;
  /** Of the page on which people say yes: Google, not Google Ads. Null where credentials are typed in. */
  signIn: 'Google' | 'Meta' | 'Microsoft' | null;
  /** In `/app/{id}/…/configuration`; null: it has no page of its own there. */
  segment: 'google' | 'meta' | 'microsoft' | 'bigquery' | 'mixpanel' | 'custom' | null;
}

const words: Record<string, ProviderWords> = {
  google_ads: { name: 'Google Ads', signIn: 'Google', segment: 'google' },
  meta_ads: { name: 'Meta Ads', signIn: 'Meta', segment: 'meta' },
  microsoft_ads: { name: 'Microsoft Ads', signIn: 'Microsoft', segment: 'microsoft' },
  bigquery: { name: 'BigQuery', signIn: 'Google', segment: 'bigquery' },
  mixpanel: { name: 'Mixpanel', signIn: null, segment: 'mixpanel' },
  postgresql: { name: 'PostgreSQL', signIn: null, segment: null },
  custom: { name: 'Custom app', signIn: null, segment: 'custom' },
};

export const providerWords = (provider: string): ProviderWords =>
  words[provider] ?? { name: provider, signIn: null, segment: null };

/** `Google`, `Meta`, `Microsoft`; the provider's own name where nobody signs in. */
export const signInName = (provider: string): string => {
  const { signIn, name } = providerWords(provider);
  return signIn ?? name;
};

/** Whose ad accounts can be read. */
export const adPlatforms = ['google_ads', 'meta_ads', 'microsoft_ads'] as const;
export type AdPlatform = (typeof adPlatforms)[number];

export const isAdPlatform = (provider: string): provider is AdPlatform => adPlatforms.some((one) => one === provider);
