import { deleteCookie, readCookie, writeCookie } from '~/lib/cookies';

const CALLBACK_COOKIE = 'callback-url';
/** Long enough to reset a password by mail, short enough not to surprise anyone tomorrow. */
const CALLBACK_MAX_AGE_SECONDS = 60 * 60;

/** Only a path of this site: `//host`, `/\host` and full addresses lead elsewhere in a browser. */
export const isRelativeTarget = (target: string): boolean => /^\/(?![/\\])[^\\\s]*$/.test(target);

export const saveCallback = (target: string): void => {
  if (isRelativeTarget(target)) writeCookie(CALLBACK_COOKIE, target, CALLBACK_MAX_AGE_SECONDS);
};

export function readCallback(): string | null {
  const target = readCookie(CALLBACK_COOKIE);
  return target !== null && isRelativeTarget(target) ? target : null;
}

export const clearCallback = (): void => deleteCookie(CALLBACK_COOKIE);

const PLACES: [RegExp, string][] = [
  [/^\/[^/]+\/connection\/[^/]+/, 'a connection'],
  [/^\/[^/]+\/connection/, 'your connections'],
  [/^\/[^/]+\/createConnection/, 'a new connection'],
  [/^\/[^/]+\/app/, 'your apps'],
  [/^\/[^/]+\/source/, 'your sources'],
  [/^\/[^/]+\/destination/, 'your destinations'],
  [/^\/[^/]+\/settings/, 'the settings'],
  [/^\/[^/]+\/acceptInvitation/, 'an invitation'],
];

/** Where a saved link leads, for somebody who may not see its name yet. */
export const describeTarget = (target: string): string | null => PLACES.find(([pattern]) => pattern.test(target))?.[1] ?? null;
