import { useSearchParams } from 'react-router-dom';
import { useCatalog } from '~/api/catalog';
import type { Connection, ConnectionTest } from '~/api/types';
import { CheckList, passedCount } from '~/components/settings-form/CheckList';
import { SampleTable } from '~/components/sample-table/SampleTable';
import { providerName } from '~/components/status/ProviderMark';
import type { TestBenchTab } from '~/domain/navigation/paths';
import { paths } from '~/domain/navigation/paths';
import { formatDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { CodeBlock } from '~/ui/data/CodeBlock';
import { Section } from '~/ui/layout/Page';
import { TabLinks } from '~/ui/layout/TabLinks';
import { RequestList } from './RequestList';
import { WritePreview } from './WritePreview';
import styles from './test-bench.module.css';

const TABS: { key: TestBenchTab; label: string }[] = [
  { key: 'table', label: 'Table' },
  { key: 'json', label: 'JSON' },
  { key: 'requests', label: 'Requests' },
  { key: 'write', label: 'Write preview' },
];

const NOT_READ = 'No rows were read. The checks above name the cause.';

function asObjects({ columns, rows }: NonNullable<ConnectionTest['sample']>): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
  return JSON.stringify(objects, null, 2);
}

function Rows({ result, provider }: { result: ConnectionTest; provider: string }) {
  const { data: catalog } = useCatalog();
  const entry = catalog?.connectors.find((one) => one.provider === provider);
  const stream = entry?.streams.find(({ name }) => name === result.stream);
  if (!result.sample) return <p className="quiet">{NOT_READ}</p>;
  return <SampleTable sample={result.sample} stream={stream} none="The account has no rows on this day." />;
}

function Content({ tab, result, provider }: { tab: TestBenchTab; result: ConnectionTest; provider: string }) {
  if (tab === 'requests') return <RequestList requests={result.requests} />;
  if (tab === 'write') return <WritePreview write={result.write} />;
  if (tab === 'table') return <Rows result={result} provider={provider} />;
  if (!result.sample) return <p className="quiet">{NOT_READ}</p>;
  return <CodeBlock label="rows as JSON" title="Rows" text={asObjects(result.sample)} />;
}

/** The checks of both ends, then rows, requests and the preview of the write. */
export function TestResults({ connection, result }: { connection: Connection; result: ConnectionTest }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const [parameters] = useSearchParams();
  const tab = TABS.find(({ key }) => key === parameters.get('tab'))?.key ?? 'table';
  const { source, destination } = connection;
  const shown = result.sample
    ? `${result.sample.rows.length} of ${plural(result.sample.rowCount, 'row')}, not written`
    : 'No rows read';
  return (
    <>
      <div className={styles.checks}>
        <Section title={`Source: ${providerName(source.provider)}`} aside={passedCount(result.sourceItems)}>
          <CheckList items={result.sourceItems} />
        </Section>
        <Section title={`Destination: ${providerName(destination.provider)}`} aside={passedCount(result.destinationItems)}>
          <CheckList items={result.destinationItems} />
        </Section>
      </div>
      <Section title={`${result.stream}, ${result.account.name}, ${formatDay(result.day, now)}`} aside={shown}>
        <TabLinks
          label="Results"
          current={tab}
          tabs={TABS.map((one) => ({ ...one, to: paths.testBench(organizationId, connection.id, { tab: one.key }) }))}
        />
        <Content tab={tab} result={result} provider={source.provider} />
      </Section>
    </>
  );
}
