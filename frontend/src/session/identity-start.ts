import { signInPaths } from '~/domain/navigation/paths';
import { loadIdentity } from './load-identity';
import { readUserState } from './user-state';

const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'focusin'] as const;
/** After this time without an input the script is loaded anyway, so that a touch on Google's button opens its window without delay. */
const MAX_WAIT_MS = 2_000;

/** The part of a window that is used here. */
type Page = EventTarget & { document: Pick<Document, 'readyState'> };

/** Resolves at the first input, or some time after the page is complete. */
export function firstInput(page: Page): Promise<void> {
  return new Promise((resolve) => {
    const start = () => {
      for (const name of INPUTS) page.removeEventListener(name, start);
      resolve();
    };
    for (const name of INPUTS) page.addEventListener(name, start, { passive: true });
    const wait = () => setTimeout(start, MAX_WAIT_MS);
    if (page.document.readyState === 'complete') wait();
    else page.addEventListener('load', wait, { once: true });
  });
}

/** A sign-in page of a visitor whom this browser does not know shows everything without the identity provider's script (29 kB). */
export function isNeededLater(pathname: string, isKnown: boolean): boolean {
  return !isKnown && signInPaths.includes(pathname);
}

let needed: Promise<void> | null = null;

/** Loads the identity provider's script as soon as the page needs it. */
export function startIdentity(): ReturnType<typeof loadIdentity> {
  needed ??= isNeededLater(location.pathname, readUserState() !== null) ? firstInput(window) : Promise.resolve();
  return needed.then(loadIdentity);
}
