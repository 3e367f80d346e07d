const DAY_MS = 86_400_000;

/** In days; `never` has no end. */
export const LIFETIMES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
];

export function expiryOf(lifetime: string, now: Date): string | undefined {
  const days = Number(lifetime);
  return Number.isFinite(days) ? new Date(now.getTime() + days * DAY_MS).toISOString() : undefined;
}
