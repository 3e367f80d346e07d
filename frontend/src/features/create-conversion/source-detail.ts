import type { ConversionSourceChoice, Destination } from '~/api/types';

const kinds: Partial<Record<ConversionSourceChoice['provider'], string>> = {
  custom: 'Events that are pushed to this app',
  stripe: 'Payments',
  bigquery: 'Rows of a query',
  postgresql: 'Rows of a query',
  mixpanel: 'Events with one name',
};

/** What is read from a source, and where: destinations often have the same name. */
export function sourceDetail(
  { provider, destinationId }: Pick<ConversionSourceChoice, 'provider' | 'destinationId'>,
  destinations: Pick<Destination, 'id' | 'target'>[],
): string {
  const target = destinations.find(({ id }) => id === destinationId)?.target;
  return [kinds[provider], target].filter(Boolean).join(', ');
}
