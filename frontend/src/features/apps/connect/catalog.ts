import type { Connector, Provider } from '~/api/types';

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
  payments: 'Payments',
  custom: 'Custom',
};

/** All declared providers. One without credentials is not configured on this instance. */
export const linesOf = (connectors: Connector[]): CatalogLine[] =>
  connectors.map((connector) => {
    const { provider, name, category, roles, credentials } = connector;
    return { provider, name, category, roles, connector: credentials.length > 0 ? connector : null };
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
