/** The segment before the secret of a share link or badge; `reconnect/result` is a page. */
const BEFORE_SECRET = /^(reconnect|badges)$/i;
const PAGE = /^result$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The product's tokens have at least 43 characters. Ids of users, addresses and providers are shorter. */
const SECRET_CHARACTERS = 40;

/**
 * The path of a request for the log, without its query and without possible secrets of links. Paths are compared decoded,
 * case-insensitively and with any number of slashes, because a mistyped link still contains a valid token.
 */
export function logPath(url: string): string {
  const segments = decoded(url.split(/[?#]/)[0] ?? '').split(/\/+/);
  return segments.map((segment, index) => (isSecret(segment, segments[index - 1] ?? '') ? '***' : segment)).join('/');
}

const isSecret = (segment: string, before: string): boolean =>
  segment !== '' &&
  !UUID.test(segment) &&
  (segment.length >= SECRET_CHARACTERS || (BEFORE_SECRET.test(before) && !PAGE.test(segment)));

/** Decodes each escape separately: `decodeURIComponent` fails for the whole path when one escape is invalid. */
const decoded = (path: string): string =>
  path.replace(/%[2-7][\da-f]/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
