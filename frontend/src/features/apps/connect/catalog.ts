import type { Connector, Provider } from '~/api/types';
import { providerWords } from '~/domain/accounts/providers';

export type Category = Connector['category'];
export type RoleFilter = 'all' | Connector['roles'][number];

/** One entry of the catalog. `connector` is null if the provider is not configured on this instance. */
export interface CatalogLine {
  provider: Provider;
  name: string;
  category: Category;
  roles: Connector['roles'];
  connector: Connector | null;
}

export const categoryWords: Record<Category, string> = {
  advertising: 'Advertising',
  warehouse: 'Warehouses',
  product_analytics: 'Product analytics',
  custom: 'Custom',
};

/** All supported providers, in the order of the catalog. */
const KNOWN: [Provider, Category, Connector['roles']][] = [
  ['google_ads', 'advertising', ['source']],
  ['meta_ads', 'advertising', ['source']],
  ['microsoft_ads', 'advertising', ['source']],
  ['bigquery', 'warehouse', ['destination']],
  ['postgresql', 'warehouse', ['destination']],
  ['mixpanel', 'product_analytics', ['destination']],
  ['custom', 'custom', ['source']],
];

/** All supported providers, including those that are not configured on this instance. */
export const linesOf = (connectors: Connector[]): CatalogLine[] =>
  KNOWN.map(([provider, category, roles]) => {
    const connector = connectors.find((one) => one.provider === provider) ?? null;
    return {
      provider,
      name: providerWords(provider).name,
      category: connector?.category ?? category,
      roles: connector?.roles ?? roles,
      connector,
    };
  });

const textOf = ({ name, category, connector }: CatalogLine): string =>
  [name, categoryWords[category], connector?.description, ...(connector?.streams ?? []).map(({ title }) => title)]
    .join(' ')
    .toLowerCase();

/** Entries that match the search and the role, by category. */
export function searchCatalog(lines: CatalogLine[], search: string, role: RoleFilter): [Category, CatalogLine[]][] {
  const words = search.trim().toLowerCase().split(/\s+/);
  const found = lines.filter(
    (line) => words.every((word) => textOf(line).includes(word)) && (role === 'all' || line.roles.includes(role)),
  );
  return (Object.keys(categoryWords) as Category[])
    .map((category): [Category, CatalogLine[]] => [category, found.filter((line) => line.category === category)])
    .filter(([, entries]) => entries.length > 0);
}
