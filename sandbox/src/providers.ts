import { bigquery } from './bigquery/provider.ts';
import { customerIo } from './customer-io/provider.ts';
import { dataManager } from './data-manager/provider.ts';
import { exchangeRates } from './exchange-rates/provider.ts';
import { ConversionStore } from './google-ads/conversion-store.ts';
import { googleAds } from './google-ads/provider.ts';
import { Revocations } from './google-ads/revocations.ts';
import { metaAds } from './meta-ads/provider.ts';
import { microsoftAds } from './microsoft-ads/provider.ts';
import { mixpanel } from './mixpanel/provider.ts';
import { postgresql } from './postgresql/provider.ts';
import type { Provider } from './provider.ts';
import { stripe } from './stripe/provider.ts';

/** All simulated providers, in the order of the start page. `warehouseUrl`: the database for faults. */
export function allProviders(warehouseUrl: string | undefined): Provider[] {
  const revocations = new Revocations();
  const conversions = new ConversionStore();
  return [
    googleAds(revocations, conversions),
    dataManager(revocations, conversions),
    bigquery(revocations),
    metaAds,
    microsoftAds,
    mixpanel,
    stripe,
    customerIo,
    exchangeRates,
    postgresql(warehouseUrl),
  ];
}
