import { TextInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { reloadDays } from '~/api/payments/payments';
import type { Payment } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { LiveRun } from '~/features/payments/page/LiveRuns';
import { addDays } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './PaymentFields.module.css';
import { utcToday } from './payment-values';

interface Reload {
  name: string;
  runId: string;
}

const STARTING_DAYS = 7;

function useReload({ id, desired, destinations }: Payment) {
  const organizationId = useOrganizationId();
  const today = utcToday(useNow(300_000));
  const [range, setRange] = useState(() => ({ from: addDays(today, -STARTING_DAYS), to: today }));
  const [reloads, setReloads] = useState<Reload[]>([]);
  const { run, isBusy, error } = useAction();
  const start = async () => {
    setReloads([]);
    for (const { connectionId, name } of destinations) {
      const { id: runId } = await reloadDays(organizationId, connectionId, range);
      setReloads((before) => [...before, { name, runId }]);
    }
    toast.done('Reload started');
  };
  const { from, to } = range;
  const isComplete = [from, to].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day));
  const missing = !isComplete ? 'Enter both days' : from > to ? 'The first day is after the last' : null;
  return {
    ...{ id, range, reloads, today, isBusy, error },
    change: (part: Partial<typeof range>) => setRange((before) => ({ ...before, ...part })),
    waitsFor: desired === 'paused' ? 'Paused. Resume it first' : missing,
    start: () => void run(start),
  };
}

/** Reads days again at Stripe and replaces their rows at every destination. */
export function ReloadDays({ payment }: { payment: Payment }) {
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const disabledReason = roleReason ?? planReason;
  const { range, today, change, waitsFor, start, isBusy, error, reloads } = useReload(payment);
  const day = (label: string, name: 'from' | 'to') => (
    <TextInput
      w={160}
      type="date"
      label={label}
      max={today}
      value={range[name]}
      disabled={disabledReason !== null}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <SettingRow title="Reload days" hint="Replaces the rows of these days at every destination. Earlier days are loaded, too.">
      <div className={styles.list}>
        <div className={styles.days}>
          {day('First day', 'from')}
          {day('Last day', 'to')}
        </div>
        {error !== null && <ErrorText error={error} />}
        <GatedButton
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          disabledReason={disabledReason}
          waitsFor={waitsFor}
          loading={isBusy}
          onClick={start}
        >
          Reload days
        </GatedButton>
        {reloads.map(({ name, runId }) => (
          <LiveRun key={runId} name={name} runId={runId} />
        ))}
      </div>
    </SettingRow>
  );
}
