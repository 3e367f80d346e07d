import { routeNameOf } from '~/domain/navigation/normalize-path';
import { signInPaths } from '~/domain/navigation/paths';
import { organizationIdOf } from '~/session/decide-route';
import { layoutTable, routeTable } from './route-table';
import type { PageModule } from './route-table';

/** The scripts of a page and its layout; undefined for a path without a page of its own. */
async function loadScripts(pathname: string): Promise<PageModule | undefined> {
  const name = routeNameOf(pathname);
  if (name === undefined || name === 'home') return undefined;
  const { layout, load } = routeTable[name];
  const [page] = await Promise.all([load(), layout === 'empty' ? null : layoutTable[layout].load()]);
  return page;
}

/**
 * Loads the scripts of a page and its layout, and starts its first request, while the session is loading. Otherwise the layout
 * would wait for the session, the page for the layout, and the request for the page.
 * @param isKnown a user was signed in on the last visit. Other visitors see the sign-in page instead of the page of the path
 */
export async function preloadPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>, isKnown: boolean): Promise<void> {
  if (!isKnown && !signInPaths.includes(pathname)) return;
  const page = await loadScripts(pathname);
  const organizationId = organizationIdOf(pathname);
  if (organizationId !== null) page?.prefetch?.(organizationId, new URLSearchParams(search));
}

function preloadTarget({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null;
  // The page reports a failure, if the link is followed.
  if (link?.origin === location.origin) loadScripts(link.pathname).catch(() => undefined);
}

/** Loads the scripts of a page when the pointer or the focus reaches a link to it, so that it opens without delay. */
export function preloadLinkedPages(): void {
  for (const name of ['pointerover', 'focusin'] as const) document.addEventListener(name, preloadTarget, { passive: true });
}
