import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import styles from './OrderSearch.module.css';

/** Opens the life of an order in all conversions. */
export function OrderSearch({ order = '' }: { order?: string }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [text, setText] = useState(order);
  const search = text.trim();
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (search !== '') void navigate(paths.conversions(organizationId, { order: search }));
      }}
    >
      <TextInput
        type="search"
        value={text}
        maxLength={200}
        aria-label="Find an order"
        placeholder="Find an order by order, click or event ID"
        leftSection={<IconSearch {...icon} />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={search === ''}>
        Find
      </Button>
    </form>
  );
}
