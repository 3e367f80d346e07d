export type SizeClass = 'small' | 'medium' | 'large';

/** In the order of the report. */
export const SIZE_CLASSES: readonly SizeClass[] = ['small', 'medium', 'large'];
/** A large organization has at least this many times the mean number of connections; a small one at most the mean. */
const LARGE = 5;

/**
 * Numbers of connections of organizations, largest first: the n-th has about 1/n of the first. Most have fewer than the mean, and a few
 * have most of the connections. Each has at least one.
 */
export function organizationSizes(connections: number, organizations: number): number[] {
  if (organizations < 1 || connections < organizations)
    throw new Error(`${organizations} organizations need at least as many connections, not ${connections}`);
  const weights = Array.from({ length: organizations }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const others = connections - organizations;
  // Cumulative, so that rounding does not change the total.
  let passed = 0;
  return weights.map((weight) => {
    const before = Math.round((passed / sum) * others);
    passed += weight;
    return 1 + Math.round((passed / sum) * others) - before;
  });
}

/** @param mean number of connections of an organization */
export function sizeClassOf(connections: number, mean: number): SizeClass {
  if (connections >= LARGE * mean) return 'large';
  return connections <= mean ? 'small' : 'medium';
}
