import { Button, Select, TextInput, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { Connection, TestQuestion } from '~/api/types';
import { addDays, dayIn } from '~/lib/dates';
import { usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import styles from './test-bench.module.css';

interface TestFormProps {
  connection: Connection;
  isBusy: boolean;
  onRun: (question: TestQuestion) => void;
}

type Account = Connection['source']['accounts'][number];

const isOpen = ({ status, problem }: Account): boolean => status === 'enabled' && problem === undefined;

/** Chooses stream, account and day. The first account that can be read and its yesterday are preselected. */
export function TestForm({ connection, isBusy, onRun }: TestFormProps) {
  const streams = connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name);
  const { accounts } = connection.source;
  const first = accounts.find(isOpen) ?? accounts[0];
  const [stream, setStream] = useState(streams[0] ?? null);
  const [accountId, setAccountId] = useState(first?.externalId ?? null);
  const [day, setDay] = useState<string | null>(null);
  const account = accounts.find(({ externalId }) => externalId === accountId);
  const today = dayIn(account?.timeZone ?? 'UTC', new Date());
  const shownDay = day ?? addDays(today, -1);
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const reason = roleReason ?? planReason;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (stream !== null && accountId !== null) onRun({ stream, accountId, day: shownDay });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Select label="Stream" className={styles.field} data={streams} value={stream} allowDeselect={false} onChange={setStream} />
      <Select
        label="Account"
        className={styles.field}
        searchable
        data={accounts.map(({ externalId, name }) => ({ value: externalId, label: `${name} (${externalId})` }))}
        value={accountId}
        allowDeselect={false}
        nothingFoundMessage="No results"
        onChange={setAccountId}
      />
      <TextInput
        label="Day"
        className={styles.day}
        type="date"
        required
        withAsterisk={false}
        min="2000-01-01"
        max={today}
        value={shownDay}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Tooltip label={reason} disabled={reason === null}>
        <Button type="submit" leftSection={<IconPlayerPlay {...icon} />} disabled={reason !== null} loading={isBusy}>
          Run test
        </Button>
      </Tooltip>
    </form>
  );
}
