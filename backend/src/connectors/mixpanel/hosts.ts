import type { Endpoint } from './errors.js';
import type { Residency } from './settings.js';

const suffixes: Record<Residency, string> = { US: '', EU: '-eu', IN: '-in' };
const appHosts: Record<Residency, string> = { US: 'mixpanel.com', EU: 'eu.mixpanel.com', IN: 'in.mixpanel.com' };

/** Mixpanel's hosts of a region, https://developer.mixpanel.com/reference/overview; or the paths of one test server. */
export function hostsOf(baseUrl: string | null, residency: Residency): Record<Endpoint, string> {
  if (baseUrl !== null) {
    const region = `${baseUrl}/${residency.toLowerCase()}`;
    return { import: region, export: region, query: `${region}/api`, app: `${region}/api` };
  }
  const app = `https://${appHosts[residency]}/api`;
  return {
    import: `https://api${suffixes[residency]}.mixpanel.com`,
    export: `https://data${suffixes[residency]}.mixpanel.com/api/2.0`,
    query: app,
    app,
  };
}
