import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { causeDemoFault, repairDemo, useDemoTour } from '~/api/demo';
import { ApiProblem } from '~/api/http/problem';
import type { DemoTour } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { useSession } from '~/session/session-context';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { toast } from '~/components/feedback/toast';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { Notice } from '~/ui/feedback/Notice';
import { Page, PageHeader, Section } from '~/ui/layout/Page';
import { FaultList } from './FaultList';
import { TourConnection } from './TourConnection';
import { TourRuns } from './TourRuns';

interface TourProps {
  tour: DemoTour;
  /** Shows the tour as the API returned it after an action. */
  onChange: (tour: DemoTour) => void;
}

function Tour({ tour, onChange }: TourProps) {
  const { connection, runs, isLosingRows } = tour;
  const { run, busyWith } = useAction({ onError: toast.failed });
  const isDisabled = connection.activeRun !== null;
  const perform = (name: string, action: () => Promise<DemoTour>) => void run(async () => onChange(await action()), name);
  return (
    <>
      <TourConnection connection={connection} />
      {isLosingRows && (
        <Notice
          tone="warn"
          title="The warehouse loses rows"
          actions={
            <Button loading={busyWith === 'repair'} disabled={isDisabled} onClick={() => perform('repair', repairDemo)}>
              Repair
            </Button>
          }
        >
          Repair stops the loss and starts a run that loads the missing rows.
        </Notice>
      )}
      <Section title="Cause a fault" aside={isDisabled ? 'Available when the run has ended' : 'Each fault starts a run'}>
        <FaultList busyWith={busyWith} isDisabled={isDisabled} onCause={(name) => perform(name, () => causeDemoFault(name))} />
      </Section>
      <Section title="Latest runs">
        <TourRuns runs={runs} />
      </Section>
    </>
  );
}

const NoDemo = () => (
  <EmptyState title="This instance has no demo" action={<Link to={paths.home()}>Go to the start page</Link>}>
    Start a demo on your machine with <code>make start</code>. Its data is ready about a minute later.
  </EmptyState>
);

/** A tour without signing in: a connection of the demo, and faults that show how the product reacts. */
export default function DemoPage() {
  useTitle('Demo');
  const { user } = useSession();
  const { data, error, mutate } = useDemoTour();
  const isOff = error instanceof ApiProblem && error.code === 'demo.off';
  return (
    <Page width="form">
      <PageHeader
        title="See how Tributary reacts"
        subtitle="A connection loads simulated Google Ads accounts into a PostgreSQL database. Cause a fault and watch the next run."
        actions={
          <Button component={Link} to={user ? paths.home() : paths.login()}>
            {user ? 'Go to your organizations' : 'Sign in to the demo'}
          </Button>
        }
      />
      {isOff ? (
        <NoDemo />
      ) : (
        <LoadedContent
          data={data}
          error={error}
          reload={() => mutate()}
          errorTitle="Couldn’t load the demo"
          skeleton={<TableSkeleton label="Loading the demo" rows={6} widths={[90, 70, 60, 60]} />}
        >
          {(tour) => <Tour tour={tour} onChange={(changed) => void mutate(changed, { revalidate: false })} />}
        </LoadedContent>
      )}
    </Page>
  );
}
