import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { testConversion } from '~/api/conversions/conversions';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import { ApiProblem } from '~/api/http/problem';
import type { Conversion, ConversionTest } from '~/api/types';
import { ValidationNotice } from '~/components/conversion-rules/ValidationNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { EventStatus } from '~/components/status/EventStatus';
import { providerName } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { useTestGate } from '~/features/conversions/use-run-gate';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Notice } from '~/ui/feedback/Notice';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { MenuAction } from '~/ui/inputs/MenuAction';
import { FormDialog } from '~/ui/layout/FormDialog';
import table from '~/ui/layout/Table.module.css';
import { accessLinkOf } from './access-link';
import styles from './SendTest.module.css';

const Results = ({ test: { isValidated, results } }: { test: ConversionTest }) => (
  <table className={table.table} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Event</th>
        <th scope="col">{isValidated ? 'Answer' : 'Check'}</th>
      </tr>
    </thead>
    <tbody>
      {results.map(({ dedupeKey, occurredAt, state, message }) => (
        <tr key={dedupeKey}>
          <td>
            <span className={table.name}>{dedupeKey}</span>
            <span className={table.second}>
              <RelativeTime at={occurredAt} />
            </span>
          </td>
          <td>
            {state === 'checked' ? 'Meets the rules' : <EventStatus state={state} />}
            {message !== null && <span className={table.second}>{message}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Result({ test, conversion: { target } }: { test: ConversionTest; conversion: Conversion }) {
  const platform = providerName(target.provider);
  return (
    <>
      {test.isValidated ? (
        <ValidationNotice validation={test} />
      ) : (
        <Notice tone="accent" title={`${plural(test.events, 'event')} checked, none sent`} isAlert>
          {platform} counts every event that it takes, also tests. So only the access to {target.name} and the events themselves
          were checked.
        </Notice>
      )}
      <Results test={test} />
    </>
  );
}

/** The page where the cause of an error is fixed. */
function FixLink({ error, conversion }: { error: unknown; conversion: Conversion }) {
  const organizationId = useOrganizationId();
  if (!(error instanceof ApiProblem)) return null;
  const link = (to: string, label: string) => (
    <Button component={Link} to={to}>
      {label}
    </Button>
  );
  if (error.code === 'app.not_connected' && conversion.failedSide !== null) {
    const { to, label } = accessLinkOf(organizationId, conversion);
    return link(to, label);
  }
  if (error.code === 'conversion.target_gone')
    return link(paths.conversion(organizationId, conversion.id, { tab: 'settings' }), 'Open the settings');
  return null;
}

/** The item of the menu. It shows why no test can be sent, unless the role is the reason, which the last line of the menu shows. */
export function SendTestItem({ onClick }: { onClick: () => void }) {
  const roleReason = usePermissionGate('conversions.write');
  const reason = useTestGate();
  return (
    <MenuAction icon={IconSend} isLocked={reason !== null} onClick={onClick}>
      {(roleReason === null && reason) || 'Send a test'}
    </MenuAction>
  );
}

/** Tests the conversion with its newest events. The platform counts none of them. */
export function useSendTest({ id }: Conversion) {
  const organizationId = useOrganizationId();
  const { refresh } = useConversionActions(organizationId);
  const { run, isBusy, error } = useAction();
  const [test, setTest] = useState<ConversionTest | null>(null);
  const send = async () => {
    setTest(null);
    const isDone = await run(async () => setTest(await testConversion(organizationId, id)));
    // The test may have found out that the app needs a new sign-in.
    if (!isDone) void refresh(id);
  };
  return { send: () => void send(), isBusy, error, test };
}

interface SendTestDialogProps extends ReturnType<typeof useSendTest> {
  conversion: Conversion;
  onClose: () => void;
}

export function SendTestDialog({ conversion, send, isBusy, error, test, onClose }: SendTestDialogProps) {
  const platform = providerName(conversion.target.provider);
  return (
    <FormDialog opened onClose={onClose} title="Send a test">
      <p className={`quiet ${styles.about}`}>Up to 5 of the newest eligible events. {platform} counts none of them.</p>
      {isBusy && <TableSkeleton label={`Testing with ${platform}`} rows={4} widths={['40%', '40%']} />}
      {!isBusy && error !== null && <ErrorText error={error} actions={<FixLink error={error} conversion={conversion} />} />}
      {!isBusy && test && <Result test={test} conversion={conversion} />}
      <div className={styles.buttons}>
        <Button variant="default" loading={isBusy} onClick={send}>
          Send again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </FormDialog>
  );
}
