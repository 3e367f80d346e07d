import { useState } from 'react';

/** The items in a known order, then the others. */
export function inKnownOrder<Item extends { id: string }>(items: readonly Item[], ids: readonly string[]): Item[] {
  const known = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
  return [...known, ...items.filter(({ id }) => !ids.includes(id))];
}

/** Rows keep their place while the pointer or the focus is on the list, so that a click meets the row it was meant for. */
export function useStableOrder<Item extends { id: string }>(items: Item[]) {
  const [frozen, setFrozen] = useState<string[] | null>(null);
  const freeze = () => setFrozen((before) => before ?? items.map(({ id }) => id));
  const release = () => setFrozen(null);
  return {
    items: frozen === null ? items : inKnownOrder(items, frozen),
    handlers: { onMouseEnter: freeze, onMouseLeave: release, onFocus: freeze, onBlur: release },
  };
}
