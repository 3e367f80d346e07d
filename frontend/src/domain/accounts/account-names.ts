/** A source can have hundreds of accounts. */
const MOST_NAMES = 4;

/** `North, South, East, West and 8 more` */
export function accountNames(accounts: { name: string }[]): string {
  const names = accounts.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = accounts.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
