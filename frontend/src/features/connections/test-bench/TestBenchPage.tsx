import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { useConnection } from '~/api/connections/connections';
import { testConnection, useTestSteps } from '~/api/connections/test-bench';
import { isNotFound } from '~/api/http/problem';
import type { Connection, ConnectionTest, TestQuestion } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { PendingCheckList } from '~/components/settings-form/CheckList';
import { providerName } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { Page, PageHeader, Section } from '~/ui/layout/Page';
import { ConnectionSkeleton } from '~/features/connections/page/ConnectionSkeleton';
import { TestForm } from './TestForm';
import { TestResults } from './TestResults';
import styles from './test-bench.module.css';

function Running({ connection: { source, destination }, testId }: { connection: Connection; testId: string | null }) {
  const { data: done = 0 } = useTestSteps(useOrganizationId(), testId);
  const ends = `Check ${providerName(source.provider)} and ${providerName(destination.provider)}`;
  // Both ends are checked at the same time, so their step ends with the second of them.
  const labels = [ends, 'Read the rows', 'Preview the write'];
  return (
    <Section title="Running">
      <div className={styles.steps}>
        <PendingCheckList labels={labels} done={Math.max(0, done - 1)} />
      </div>
    </Section>
  );
}

function Bench({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run, isBusy, error } = useAction();
  const [testId, setTestId] = useState<string | null>(null);
  const [question, setQuestion] = useState<TestQuestion | null>(null);
  const [result, setResult] = useState<ConnectionTest | null>(null);
  const start = (asked: TestQuestion) => {
    const id = crypto.randomUUID();
    setTestId(id);
    setQuestion(asked);
    setResult(null);
    void run(async () => setResult(await testConnection(organizationId, connection.id, { ...asked, testId: id })));
  };
  return (
    <>
      <TestForm connection={connection} isBusy={isBusy} onRun={start} />
      {isBusy && <Running connection={connection} testId={testId} />}
      {error !== null && (
        <div className={styles.results}>
          <ErrorNotice error={error} title="Couldn’t run the test" onRetry={() => question && start(question)} />
        </div>
      )}
      {result && <TestResults connection={connection} result={result} />}
    </>
  );
}

/** Tests a connection with one day of one account, and writes nothing. */
export default function TestBenchPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { data: connection, error, mutate } = useConnection(organizationId, id);
  useTitle(connection ? `Test bench of ${connection.name}` : 'Test bench');
  if (isNotFound(error) && !connection) throw error;
  return (
    <Page>
      {error !== undefined && !connection && (
        <ErrorNotice error={error} title="Couldn’t load this connection" onRetry={() => void mutate()} />
      )}
      {connection === undefined && error === undefined && <ConnectionSkeleton />}
      {connection && (
        <>
          <PageHeader
            title="Test bench"
            parent={{ label: connection.name, to: paths.connection(organizationId, id) }}
            subtitle="Checks both ends, reads one day and shows what a run would send. Writes nothing."
          />
          <Bench connection={connection} />
        </>
      )}
    </Page>
  );
}
