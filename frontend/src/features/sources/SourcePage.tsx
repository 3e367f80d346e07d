import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { useApp } from '../../api/apps';
import { keysOf } from '../../api/keys';
import { isNotFound } from '../../api/problem';
import { deleteSource, updateSource, useSource } from '../../api/sources';
import type { AdAccount, Source } from '../../api/types';
import { formatDay } from '../../lib/dates';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useNow } from '../../lib/use-now';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { AccountPicker } from '../../ui/AccountPicker';
import { TableBones } from '../../ui/Bone';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNotice, ErrorText } from '../../ui/ErrorNotice';
import { Facts } from '../../ui/Facts';
import { Page, PageHeader, Section, WithFacts } from '../../ui/Page';
import { ProviderMark } from '../../ui/ProviderMark';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toast';
import { sourceTable } from './source-state';

/** What the app reaches, and what was chosen before even if the app no longer lists it. */
const choosable = (source: Source, listed: AdAccount[]): AdAccount[] => [
  ...listed,
  ...source.accounts.filter(({ externalId }) => listed.every((account) => account.externalId !== externalId)),
];

function Form({ source, listed }: { source: Source; listed: AdAccount[] }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('editConnections');
  const saved = source.accounts.map(({ externalId }) => externalId);
  const [name, setName] = useState(source.name);
  const [chosen, setChosen] = useState(saved);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isSame = name.trim() === source.name && chosen.toSorted().join() === saved.toSorted().join();
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await updateSource(organizationId, source.id, { name: name.trim(), accountIds: chosen, version: source.version });
      await mutate(keysOf(organizationId, 'source', 'sources', 'connections', 'connection'));
      toast.done('Source saved; the next run takes it up');
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <>
      {failure !== null && <ErrorText error={failure} />}
      <TextInput
        label="Name"
        value={name}
        disabled={closedBecause !== null}
        error={name.trim() === '' ? 'A source needs a name' : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Section title="Accounts" aside="Time zone and currency come from the provider">
        <AccountPicker
          accounts={choosable(source, listed)}
          chosen={chosen}
          onChange={setChosen}
          isLocked={closedBecause !== null}
        />
      </Section>
      <Button
        mt={20}
        loading={isBusy}
        disabled={closedBecause !== null || isSame || chosen.length === 0 || name.trim() === ''}
        onClick={() => void save()}
      >
        Save source
      </Button>
      {closedBecause && <span className="label"> {closedBecause}</span>}
    </>
  );
}

function DeleteButton({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('editConnections');
  const [isOpen, setOpen] = useState(false);
  const reason = closedBecause ?? (source.usedBy > 0 ? `Used by ${plural(source.usedBy, 'connection')}` : null);
  return (
    <>
      {reason && <span className="label">{reason}</span>}
      <Button variant="default" disabled={reason !== null} onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${source.name}?`}
        stops={['This choice of accounts']}
        stays={[`The app ${source.appName} and its sign-in`, 'Every row that was loaded']}
        confirmLabel="Delete source"
        onConfirm={async () => {
          await deleteSource(organizationId, source.id);
          await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
          toast.done(`${source.name} deleted`);
          void navigate(paths.sources(organizationId));
        }}
      />
    </>
  );
}

function SourceFacts({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const day = (at: string | null) => (at ? formatDay(at, now) : '—');
  return (
    <Facts
      facts={[
        { label: 'App', value: <Link to={paths.app(organizationId, source.appId)}>{source.appName}</Link> },
        { label: 'Used by', value: source.usedBy === 0 ? 'Nothing yet' : plural(source.usedBy, 'connection') },
        { label: 'Earliest data', value: day(source.earliestDataAt) },
        { label: 'Latest data', value: day(source.latestDataAt) },
      ]}
    />
  );
}

export default function SourcePage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { data: source, error, mutate } = useSource(organizationId, id);
  const app = useApp(organizationId, source?.appId ?? null);
  useTitle(source?.name ?? 'Source');
  if (isNotFound(error) && !source) throw error;
  const state = source && sourceTable[source.state];
  return (
    <Page>
      {error !== undefined && <ErrorNotice error={error} title="The source could not be fetched" onRetry={() => void mutate()} />}
      {!source && error === undefined && <TableBones label="Loading the source" rows={5} widths={['50%', '20%']} />}
      {source && state && (
        <>
          <PageHeader
            title={source.name}
            parent={{ label: 'Sources', to: paths.sources(organizationId) }}
            mark={<ProviderMark provider={source.provider} size="lg" />}
            status={
              <Status icon={state.icon} tone={state.tone}>
                {state.word}
              </Status>
            }
            actions={<DeleteButton source={source} />}
          />
          <WithFacts facts={<SourceFacts source={source} />}>
            {app.data || app.error !== undefined ? (
              <Form key={source.version} source={source} listed={app.data?.accounts ?? []} />
            ) : (
              <TableBones label="Loading accounts" rows={4} widths={['50%', '20%']} />
            )}
          </WithFacts>
        </>
      )}
    </Page>
  );
}
