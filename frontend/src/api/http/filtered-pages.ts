import type { SWRInfiniteResponse } from 'swr/infinite';

interface Filtered {
  /** The filter that the page was loaded for. */
  filter: string;
}

export const filtered = async <Page extends object>(filter: unknown, page: Promise<Page>): Promise<Page & Filtered> => ({
  ...(await page),
  filter: JSON.stringify(filter),
});

/** Pages that stay while another filter is loading. After an error, pages of another filter would be shown as those of this one. */
export function dropOtherPages<Page extends Filtered>(response: SWRInfiniteResponse<Page, unknown>, filter: unknown) {
  const { data, error, mutate, size, setSize, isValidating } = response;
  const isOther = error !== undefined && data?.[0]?.filter !== JSON.stringify(filter);
  return { data: isOther ? undefined : data, error, mutate, size, setSize, isValidating };
}
