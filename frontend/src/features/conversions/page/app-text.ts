import type { Conversion } from '~/api/types';
import { providerName } from '~/components/status/ProviderMark';

/** `Northwind, Microsoft Ads`. An app that is named after its platform is named once. */
export function appText({ appName, provider }: Pick<Conversion['target'], 'appName' | 'provider'>): string {
  const platform = providerName(provider);
  return appName === platform ? platform : `${appName}, ${platform}`;
}
