import { paths } from '~/domain/navigation/paths';

/** Target after checkout: the page requested before it if it belongs to this organization, or else the connections. */
export function targetAfterCheckout(organizationId: string, callback: string | null): string {
  const isHere = callback?.startsWith(`/${organizationId}/`) === true;
  const isPlan = callback?.startsWith(paths.subscription(organizationId)) === true;
  return isHere && !isPlan ? callback : paths.connections(organizationId);
}
