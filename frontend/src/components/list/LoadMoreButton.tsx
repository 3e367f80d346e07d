import { Button } from '@mantine/core';

/** A list that is loaded page by page, as `useSWRInfinite` returns it. */
interface Pages {
  size: number;
  setSize: (size: number) => unknown;
  isValidating: boolean;
}

interface LoadMoreButtonProps {
  pages: Pages;
  hasMore: boolean;
  label?: string;
}

/** Loads the next page of a list. Renders nothing after the last page. */
export const LoadMoreButton = ({ pages, hasMore, label = 'Load more' }: LoadMoreButtonProps) =>
  hasMore ? (
    <Button variant="default" mt={16} loading={pages.isValidating} onClick={() => void pages.setSize(pages.size + 1)}>
      {label}
    </Button>
  ) : null;
