import { htmlTable } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { stripeAdminRoutes } from './admin.ts';
import { monthlyPriceId, seedCatalog } from './catalog.ts';
import { checkoutRoutes } from './checkout-page.ts';
import { Deliveries } from './deliveries.ts';
import { stripeFaults } from './faults.ts';
import { PaymentAccounts } from './payments/accounts.ts';
import { paymentAdminRoutes } from './payments/admin.ts';
import { withPayments } from './payments/routes.ts';
import { seededKeys } from './payments/seeds.ts';
import { portalRoutes } from './portal-page.ts';
import { stripeRoutes } from './routes.ts';
import { StripeState } from './state.ts';

export const stripe: Provider = {
  name: 'stripe',
  title: 'Stripe',
  faults: stripeFaults,
  open({ clock, faults, dataDir }) {
    const state = new StripeState(faults, dataDir);
    seedCatalog(state);
    const deliveries = new Deliveries(state);
    const settings = {
      get webhookRetryDelaysMs() {
        return state.settings.webhookRetryDelaysMs;
      },
    };
    const accounts = new PaymentAccounts({ clock, faults, settings }, dataDir);
    return {
      routes: [
        ...withPayments(stripeRoutes(state), accounts, faults),
        ...checkoutRoutes(state),
        ...portalRoutes(state),
        ...stripeAdminRoutes(state, deliveries),
        ...paymentAdminRoutes(accounts),
      ],
      description,
      close: () => {
        accounts.close();
        deliveries.close();
        state.close();
      },
    };
  },
};

const description = `<p><code>/v1/…</code> with any key <code>sk_test_…</code> (one that ends in <code>_wrong</code> is rejected) · <a href="/admin/stripe/state">stored state</a> · restricted keys belong to <a href="/admin/stripe/payments">accounts with payments</a></p>
${htmlTable('Prices', [[monthlyPriceId, 'Tributary, 49.00 EUR every month']])}
${htmlTable(
  'Restricted keys',
  seededKeys.map(({ key, accountId, rights, isExpired }) => [key, accountId, isExpired ? 'expired' : `${rights.length} rights`]),
)}`;
