import { patterns } from './paths';

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ONLY_UUID = new RegExp(`^${UUID}$`, 'i');

const isParameter = (segment: string): boolean => segment.startsWith(':');
const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
const countParameters = (segments: string[]): number => segments.filter(isParameter).length;

export type RouteName = keyof typeof patterns;

/** Fixed segments first: `app/connect` before `app/:id`. */
const routes = (Object.keys(patterns) as RouteName[])
  .map((name) => ({ name, segments: segmentsOf(patterns[name]) }))
  .sort((one, other) => countParameters(one.segments) - countParameters(other.segments));

const isOf = (route: string[], given: string[]): boolean =>
  route.length === given.length &&
  route.every((segment, index) => isParameter(segment) || segment.toLowerCase() === given[index]?.toLowerCase());

const routeOf = (given: string[]) => routes.find(({ segments }) => isOf(segments, given));

/** The page of a path in any spelling; undefined for an unknown path. */
export const routeNameOf = (pathname: string): RouteName | undefined => routeOf(segmentsOf(pathname))?.name;

/**
 * The path of the same page as the routes spell it: without a trailing slash, in the case of the route, ids in lower case. A path
 * without a page is returned unchanged, because the error page names it.
 */
export function normalizePath(pathname: string): string {
  const given = segmentsOf(pathname);
  const route = routeOf(given);
  if (!route) return pathname;
  const segments = route.segments.map((segment, index) => {
    const value = given[index] ?? '';
    if (!isParameter(segment)) return segment;
    return ONLY_UUID.test(value) ? value.toLowerCase() : value;
  });
  return `/${segments.join('/')}`;
}

/** A new destination or payment has no id yet. */
const NEW_ITEM = /^\/[^/]+\/(destination|payment)\/new\/configuration$/;

const PROVIDER = /^[a-z][a-z0-9_]*$/;
const isValid = (parameter: string, value: string): boolean => (parameter === ':provider' ? PROVIDER : ONLY_UUID).test(value);

/** Whether all ids in the path of a page are ids. Any other text cannot belong to an organization or item. */
export function hasValidIds(pathname: string): boolean {
  const given = segmentsOf(pathname);
  const [organizationId = ''] = given;
  if (NEW_ITEM.test(pathname)) return ONLY_UUID.test(organizationId);
  return (routeOf(given)?.segments ?? []).every(
    (segment, index) => !isParameter(segment) || isValid(segment, given[index] ?? ''),
  );
}
