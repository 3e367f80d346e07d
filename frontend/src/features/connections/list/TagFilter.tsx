import { Select } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import styles from './ConnectionsView.module.css';

/** The tag is in the URL, so that a link shows the same list. */
export default function TagFilter({ tags }: { tags: string[] }) {
  const [parameters, setParameters] = useSearchParams();
  const tag = parameters.get('tag');
  const choose = (chosen: string | null) =>
    setParameters(
      (before) => {
        before.delete('cursor');
        if (chosen === null) before.delete('tag');
        else before.set('tag', chosen);
        return before;
      },
      { replace: true },
    );
  return (
    <Select
      className={styles.tag}
      aria-label="Tag"
      placeholder="All tags"
      data={tag === null || tags.includes(tag) ? tags : [tag, ...tags]}
      value={tag}
      clearable
      clearButtonProps={{ 'aria-label': 'All tags' }}
      searchable
      onChange={choose}
    />
  );
}
