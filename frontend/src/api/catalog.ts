import useSWR from 'swr';
import { rememberProviders } from '~/domain/accounts/providers';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';

/** The providers of this instance and their forms. Their names are remembered for screens that show only an app. */
export function useCatalog(isWanted = true) {
  const catalog = useSWR(isWanted ? keys.catalog() : null, () => unwrap(client.GET('/api/v1/catalog')), {
    revalidateOnFocus: false,
  });
  if (catalog.data) rememberProviders(catalog.data.connectors);
  return catalog;
}
