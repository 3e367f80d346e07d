import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { ACTION_KINDS, isFiltered } from './audit-filter';
import type { AuditQuestion } from './audit-filter';
import styles from './Audit.module.css';

const known = (action: string) =>
  ACTION_KINDS.some(({ value }) => value === action) ? ACTION_KINDS : [...ACTION_KINDS, { value: action, label: action }];

/** Filters live in the address; the text is taken up at Enter or when the field is left. */
export function AuditFilters({ question }: { question: AuditQuestion }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [actor, setActor] = useState(question.actor);
  const ask = (change: Partial<AuditQuestion>) => {
    const next = { ...question, actor, ...change };
    const query = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    void navigate(paths.settings(organizationId, { tab: 'audit', ...query }), { replace: true });
  };
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        ask({});
      }}
    >
      <TextInput
        label="Who"
        placeholder="Part of an e-mail"
        value={actor}
        maxLength={320}
        onChange={(event) => setActor(event.currentTarget.value)}
        onBlur={() => actor !== question.actor && ask({})}
      />
      <Select
        label="What"
        data={known(question.action)}
        value={question.action}
        onChange={(action) => ask({ action: action ?? '' })}
      />
      <TextInput
        label="From"
        type="date"
        value={question.from}
        max={question.to || undefined}
        onChange={(event) => ask({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        value={question.to}
        min={question.from || undefined}
        onChange={(event) => ask({ to: event.currentTarget.value })}
      />
      {/* Without a button of this kind Enter does nothing in a form of several fields. */}
      <button type="submit" hidden />
      {isFiltered(question) && (
        <Button
          variant="subtle"
          className={styles.clear}
          onClick={() => {
            setActor('');
            ask({ actor: '', action: '', from: '', to: '' });
          }}
        >
          Clear
        </Button>
      )}
    </form>
  );
}
