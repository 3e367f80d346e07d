/** Their content is data, not schemas. */
const DATA = new Set(['example', 'examples', 'default']);

/**
 * Sorts the values of every enum; null comes last. TypeScript lists the values of a union in the order in which it met them first
 * anywhere, so another import in an unrelated file would change the document.
 */
export function sortEnums(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'enum' && Array.isArray(child)) Object.assign(node, { enum: sorted(child) });
    else if (!DATA.has(key)) sortEnums(child);
  }
}

const sorted = (values: unknown[]): unknown[] => [
  ...values.filter((value) => value !== null).toSorted(),
  ...values.filter((value) => value === null),
];
