/**
 * The items of the first page, which is refreshed, and of what was loaded after it. New items move others from the first page to
 * the rest, so the rest continues after the last item of the first page. An item that the first page no longer has is left out.
 */
export function joinPages<Item>(first: readonly Item[], rest: readonly Item[], idOf: (item: Item) => string): Item[] {
  const shown = new Set<string>();
  const last = first.at(-1);
  const end = last === undefined ? -1 : rest.findIndex((item) => idOf(item) === idOf(last));
  return [...first, ...rest.slice(end + 1)].filter((item) => {
    const isNew = !shown.has(idOf(item));
    shown.add(idOf(item));
    return isNew;
  });
}
