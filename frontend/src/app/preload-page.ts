import { routeNameOf } from '~/domain/navigation/normalize-path';
import { signInPaths } from '~/domain/navigation/paths';
import { organizationIdOf } from '~/session/decide-route';
import { layoutTable, routeTable } from './route-table';

/**
 * Loads the scripts of a page and its layout, and starts its first request, while the session is loading. Otherwise the layout
 * would wait for the session, the page for the layout, and the request for the page.
 * @param isKnown somebody was signed in on the last visit. Other visitors see the sign-in page instead of the page of the path
 */
export async function preloadPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>, isKnown: boolean): Promise<void> {
  const name = routeNameOf(pathname);
  if (name === undefined || name === 'home' || !(isKnown || signInPaths.includes(pathname))) return;
  const { layout, load } = routeTable[name];
  const [{ prefetch }] = await Promise.all([load(), layout === 'empty' ? null : layoutTable[layout].load()]);
  const organizationId = organizationIdOf(pathname);
  if (organizationId !== null) prefetch?.(organizationId, new URLSearchParams(search));
}
