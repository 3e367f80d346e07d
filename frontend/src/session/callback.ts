import { deleteCookie, readCookie, writeCookie } from '~/lib/cookies';

const CALLBACK_COOKIE = 'callback-url';
/** Long enough for a password reset by email, short enough that the next day's sign-in opens the usual page. */
const CALLBACK_MAX_AGE_SECONDS = 60 * 60;

/** Whether the target is a path of this site. Browsers treat `//host`, `/\host` and full URLs as another site. */
export const isRelativeTarget = (target: string): boolean => /^\/(?![/\\])[^\\\s]*$/.test(target);

export const saveCallback = (target: string): void => {
  if (isRelativeTarget(target)) writeCookie(CALLBACK_COOKIE, target, CALLBACK_MAX_AGE_SECONDS);
};

export function readCallback(): string | null {
  const target = readCookie(CALLBACK_COOKIE);
  return target !== null && isRelativeTarget(target) ? target : null;
}

export const clearCallback = (): void => deleteCookie(CALLBACK_COOKIE);

const DESCRIPTIONS: [RegExp, string][] = [
  [/^\/[^/]+\/connection\/[^/]+/, 'a connection'],
  [/^\/[^/]+\/connection/, 'your connections'],
  [/^\/[^/]+\/createConnection/, 'a new connection'],
  [/^\/[^/]+\/app/, 'your apps'],
  [/^\/[^/]+\/source/, 'your sources'],
  [/^\/[^/]+\/destination/, 'your destinations'],
  [/^\/[^/]+\/settings/, 'the settings'],
  [/^\/[^/]+\/acceptInvitation/, 'an invitation'],
];

/** The kind of page of a saved link, without the name of the resource: the user is not signed in yet. */
export const describeTarget = (target: string): string | null =>
  DESCRIPTIONS.find(([pattern]) => pattern.test(target))?.[1] ?? null;
