const DAY_MS = 86_400_000;

/** In days. The server accepts at most two years. Its default is one year. */
export const LIFETIMES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '730', label: 'In two years' },
];
export const DEFAULT_LIFETIME = '365';

export const expiryOf = (lifetime: string, now: Date): string =>
  new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
