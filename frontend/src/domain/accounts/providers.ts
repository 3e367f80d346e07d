/** The name of a provider, its URL segment and its sign-in. */
export interface ProviderWords {
  name: string;
  /** The name on the consent page: Google, not Google Ads. Null for providers with typed credentials. */
  signIn: 'Google' | 'Meta' | 'Microsoft' | null;
  /** The segment in `/app/{id}/…/configuration`; null for providers without a specific page. */
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

/** `Google`, `Meta`, `Microsoft`; the provider's name when it has no sign-in. */
export const signInName = (provider: string): string => {
  const { signIn, name } = providerWords(provider);
  return signIn ?? name;
};

/** The platforms with ad accounts. */
export const adPlatforms = ['google_ads', 'meta_ads', 'microsoft_ads'] as const;
export type AdPlatform = (typeof adPlatforms)[number];

/** External systems push events to a custom app. As a source, it has no accounts to choose from. */
export const isCustomApp = (provider: string): boolean => provider === 'custom';

export const isAdPlatform = (provider: string): provider is AdPlatform => adPlatforms.some((one) => one === provider);
