import { htmlTable } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { stripeAdminRoutes } from './admin.ts';
import { monthlyPriceId, seedCatalog } from './catalog.ts';
import { checkoutRoutes } from './checkout-page.ts';
import { Deliveries } from './deliveries.ts';
import { stripeFaults } from './faults.ts';
import { portalRoutes } from './portal-page.ts';
import { stripeRoutes } from './routes.ts';
import { StripeState } from './state.ts';

export const stripe: Provider = {
  name: 'stripe',
  title: 'Stripe',
  faults: stripeFaults,
  open({ faults, dataDir }) {
    const state = new StripeState(faults, dataDir);
    seedCatalog(state);
    const deliveries = new Deliveries(state);
    return {
      routes: [...stripeRoutes(state), ...checkoutRoutes(state), ...portalRoutes(state), ...stripeAdminRoutes(state, deliveries)],
      description,
      close: () => {
        deliveries.close();
        state.close();
      },
    };
  },
};

const description = `<p><code>/v1/…</code> with any key <code>sk_test_…</code> (one that ends in <code>_wrong</code> is rejected) · <a href="/admin/stripe/state">stored state</a></p>
${htmlTable('Prices', [[monthlyPriceId, 'Tributary, 49.00 EUR every month']])}`;
