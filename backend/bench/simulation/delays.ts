/** Start delays in seconds: from the time at which a connection was due to the first claim of its run by a worker. */
export interface Delays {
  p50: number;
  p95: number;
  max: number;
}

export interface OrganizationDelay {
  organizationId: string;
  connections: number;
  /** Median of its runs. */
  median: number;
  /** The longest of its runs. */
  longest: number;
}

/** Number of organizations in the list of those with the longest delays. */
const WORST = 5;

/** The smallest value that at least this share of the values does not exceed; 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export const summarize = (values: readonly number[]): Delays => ({
  p50: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  max: quantile(values, 1),
});

/** Organizations none of whose runs has started have no delay and are left out. */
export function delaysOfOrganizations(
  started: readonly { organizationId: string; delay: number }[],
  sizes: ReadonlyMap<string, number>,
): OrganizationDelay[] {
  const delays = new Map<string, number[]>();
  for (const { organizationId, delay } of started) {
    const known = delays.get(organizationId);
    if (known) known.push(delay);
    else delays.set(organizationId, [delay]);
  }
  return [...delays].map(([organizationId, values]) => ({
    organizationId,
    connections: sizes.get(organizationId) ?? 0,
    median: quantile(values, 0.5),
    longest: quantile(values, 1),
  }));
}

export const worstOf = (organizations: readonly OrganizationDelay[]): OrganizationDelay[] =>
  [...organizations].sort((left, right) => right.median - left.median).slice(0, WORST);
