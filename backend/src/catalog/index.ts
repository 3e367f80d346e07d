/** What other modules may use of `catalog`. */
export { CatalogModule } from './catalog.module.js';
export { Connectors } from './connectors.service.js';
export { IsProviderOf, providerFields, ProviderOf } from './provider.decorator.js';
