import { useState } from 'react';

/** When the data on the page was last replaced; null before the first load. */
export function useLoadedAt(data: unknown): Date | null {
  const [seen, setSeen] = useState<{ data: unknown; at: Date | null }>({ data: undefined, at: null });
  if (seen.data !== data) setSeen({ data, at: data === undefined ? null : new Date() });
  return seen.at;
}
