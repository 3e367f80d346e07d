import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { paths, signInPaths } from '~/domain/navigation/paths';

/** The page that is shown. The browser sets the focus on the first one. */
let shownPath: string | null = null;

const hasDialog = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** Whether the new page, a dialog or the user has placed the focus since the navigation. */
function isPlaced(main: Element, start: Element | null): boolean {
  const { activeElement } = document;
  const isElsewhere = activeElement !== start && activeElement !== document.body;
  return hasDialog() || isElsewhere || (activeElement !== main && main.contains(activeElement));
}

/**
 * Moves the focus to the heading of the page, as soon as it is rendered, and to the one that replaces it when the page has loaded.
 * Returns a function that stops waiting.
 */
function focusHeading(main: Element): () => void {
  const start = document.activeElement;
  let focused: HTMLElement | null = null;
  const observer = new MutationObserver(() => attempt());
  const attempt = () => {
    if (focused !== null && document.activeElement === focused) return;
    if (focused?.isConnected === true || isPlaced(main, start)) return observer.disconnect();
    focused = main.querySelector('h1');
    if (focused === null) return;
    focused.tabIndex = -1;
    focused.focus({ preventScroll: true });
  };
  observer.observe(main, { childList: true, subtree: true });
  attempt();
  return () => observer.disconnect();
}

/** The first page, also after a sign-in: Tab begins with the link to its content and what the layout shows above the page. */
const isStart = (from: string | null, to: string): boolean =>
  from === null || (signInPaths.includes(from) && !signInPaths.includes(to));

/**
 * Moves the focus to the heading of each new page: screen readers announce it, and Tab continues in the page. A tab of the same page
 * keeps the focus, and so does an open dialog.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    // It only leads on to another page, which is then the first one of a visit.
    if (pathname === paths.home()) return undefined;
    const isFirst = isStart(shownPath, pathname);
    const isSame = shownPath === pathname;
    shownPath = pathname;
    const main = document.querySelector('main');
    return isFirst || isSame || main === null ? undefined : focusHeading(main);
  }, [pathname]);
}
