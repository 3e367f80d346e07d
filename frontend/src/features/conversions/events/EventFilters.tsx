import { Button, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { EventFilter } from '~/api/conversions/conversion-events';
import { EVENT_STATES, eventStateTable } from '~/domain/conversions/event-state';
import { useUrlText } from '~/lib/use-url-text';
import { icon } from '~/ui/icon';
import styles from './EventsTab.module.css';

const STATES = [
  { value: 'all', label: 'All states' },
  ...EVENT_STATES.map((state) => ({ value: state, label: eventStateTable[state].word })),
];

interface EventFiltersProps {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}

export function EventFilters({ filter, onChange }: EventFiltersProps) {
  const { text, setText } = useUrlText(filter.search ?? '');
  return (
    <>
      <Select
        w={160}
        data={STATES}
        value={filter.state ?? 'all'}
        aria-label="State"
        allowDeselect={false}
        onChange={(state) => onChange({ ...filter, state: EVENT_STATES.find((one) => one === state) })}
      />
      <form
        role="search"
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ ...filter, search: text.trim() || undefined });
        }}
      >
        <TextInput
          type="search"
          value={text}
          maxLength={200}
          aria-label="Order, click or event ID"
          placeholder="Order, click or event ID"
          leftSection={<IconSearch {...icon} />}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
    </>
  );
}
