import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '~/lib/use-action';
import { CheckList } from '~/components/settings-form/CheckList';
import { ErrorText } from '~/components/feedback/ErrorText';
import { icon } from '~/ui/icon';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { Section } from '~/ui/layout/Page';
import { sendTestEvent } from '~/api/destinations';
import type { CheckItem, Destination } from '~/api/types';
import styles from './DestinationForm.module.css';

interface TestEventProps {
  organizationId: string;
  destination: Destination;
  disabledReason: string | null;
}

/** Sends one test event, so that users can verify the destination before the first run. */
export function TestEvent({ organizationId, destination, disabledReason }: TestEventProps) {
  const [items, setItems] = useState<CheckItem[] | null>(null);
  const { run, isBusy, error } = useAction();
  const send = () => run(async () => setItems((await sendTestEvent(organizationId, destination.id)).items));
  return (
    <Section title="Test event">
      <p className="quiet">
        Sends one event named “Tributary Test” with the saved settings and checks that it arrives. It contains no spend.
      </p>
      <div className={styles.test}>
        <Button
          variant="default"
          leftSection={<IconSend {...icon} />}
          loading={isBusy}
          disabled={disabledReason !== null}
          onClick={() => void send()}
        >
          Send test event
        </Button>
        {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      </div>
      <div role="status">{items && !isBusy && <CheckList items={items} />}</div>
      {error !== null && <ErrorText error={error} />}
    </Section>
  );
}
