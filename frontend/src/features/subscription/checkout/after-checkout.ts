import { paths } from '~/domain/navigation/paths';

/** Where a paid checkout leads: to the page that was asked for when the plan came in between, if it is this organization's. */
export function targetAfterCheckout(organizationId: string, callback: string | null): string {
  const isHere = callback?.startsWith(`/${organizationId}/`) === true;
  const isPlan = callback?.startsWith(paths.subscription(organizationId)) === true;
  return isHere && !isPlan ? callback : paths.connections(organizationId);
}
