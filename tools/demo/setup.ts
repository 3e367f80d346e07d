/** Profile demo of docker-compose.yml, when the product is ready: user, organization and connections, as `make start` creates them. */
import { signInDemoUser } from '../start/demo-user.ts';
import { seedPortfolio } from '../start/portfolio/seed-portfolio.ts';
import { ProductClient } from '../start/product-client.ts';
import { seedDemo } from '../start/seed-demo.ts';
import { demoSetting } from './settings.ts';

const [product, auth, warehouseUrl] = ['PUBLIC_URL', 'AUTH_URL', 'DEMO_WAREHOUSE_URL'].map(demoSetting) as [
  string,
  string,
  string,
];
const user = await signInDemoUser(auth, demoSetting('DEMO_PASSWORD'));
const { organizationId, connectionId } = await seedDemo(product, user, warehouseUrl);
console.log('The demo can be used. The other connections follow.');

const context = {
  client: new ProductClient(product, user.idToken),
  base: `/api/v1/organizations/${organizationId}`,
  organizationId,
  sandboxUrl: demoSetting('SANDBOX_URL'),
  warehouseUrl,
  databaseUrl: demoSetting('MIGRATION_DATABASE_URL'),
  signal: new AbortController().signal,
};
await seedPortfolio(context, connectionId, demoSetting('PORTFOLIO_FILE'));
console.log('The demo is complete.');
