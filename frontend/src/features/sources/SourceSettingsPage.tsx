import { useNavigate } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import { readDraft } from '~/api/connections/connection-draft';
import { ExpiredStep } from '~/components/sign-in/ExpiredStep';
import { isNotFound } from '~/api/http/problem';
import { useSource } from '~/api/sources';
import type { AdAccount, Connector, Source } from '~/api/types';
import { readFlowState } from '~/domain/navigation/flow-state';
import { afterSource } from '~/domain/navigation/flow-steps';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Page, PageHeader } from '~/ui/layout/Page';
import { FlowSteps } from '~/components/wizard/FlowSteps';
import { ProviderMark } from '~/components/status/ProviderMark';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import { SourceFields } from './SourceForm';
import { useSourceForm } from './use-source-form';

interface SettingsProps {
  source: Source;
  listed: AdAccount[];
  connector: Connector | undefined;
}

/** Saves unsaved changes before it continues. */
function Settings({ source, listed, connector }: SettingsProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const isLocked = usePermissionGate('sources.write') !== null;
  const state = useSourceForm(organizationId, source, connector?.settingsSchema ?? null);
  const { isSame, isBusy, conflict, failure, disabledReason, save } = state;
  const { storedFrom } = readFlowState();
  const goToNextStep = async () => {
    if (isSame || (await save())) await navigate(afterSource(organizationId, storedFrom, source));
  };
  return (
    <>
      <SourceFields source={source} listed={listed} connector={connector} state={state} isLocked={isLocked} />
      {conflict.isOpen && <ConflictNotice what="this source" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />}
      {failure !== null && <ErrorText error={failure} />}
      <WizardFooter
        savedAt={readDraft(organizationId)?.savedAt ?? null}
        backLabel={isSame ? 'Back' : 'Back without saving'}
        onBack={() => void navigate(paths.createConnection(organizationId, { step: 'source' }))}
        onNext={() => void goToNextStep()}
        nextLabel={isSame ? (storedFrom === 'connection' ? 'Destination' : 'Continue') : 'Save and continue'}
        isBusy={isBusy}
        disabledReason={conflict.isOpen ? 'Resolve the conflict above' : disabledReason}
      />
    </>
  );
}

/** Accounts, level, breakdowns and lookback window of the flow's source. */
function SourceStep({ sourceId }: { sourceId: string }) {
  const organizationId = useOrganizationId();
  const { data: source, error, mutate } = useSource(organizationId, sourceId);
  const { data: app } = useApp(organizationId, source?.appId ?? null);
  const { data: catalog } = useCatalog();
  if (isNotFound(error) && !source) return <ExpiredStep organizationId={organizationId} />;
  if (error !== undefined && !source)
    return <ErrorNotice error={error} title="Couldn’t load this source" onRetry={() => void mutate()} />;
  if (!source || !app || !catalog) return <TableSkeleton label="Loading the source" rows={5} widths={[160, '60%']} />;
  return (
    <Settings
      key={source.id}
      source={source}
      listed={app.accounts}
      connector={catalog.connectors.find(({ provider }) => provider === source.provider)}
    />
  );
}

/** `/SourceSettings`: a step of the flow. The source is stored in the flow state. */
export default function SourceSettingsPage() {
  useTitle('Source settings');
  const organizationId = useOrganizationId();
  const { sourceKey, storedFrom, storedType } = readFlowState();
  const isInWizard = storedFrom === 'connection';
  return (
    <Page width="form">
      <PageHeader
        title="Source settings"
        parent={
          isInWizard
            ? { label: 'Create connection', to: paths.createConnection(organizationId, { step: 'source' }) }
            : { label: 'Sources', to: paths.sources(organizationId) }
        }
        mark={sourceKey !== null && storedType !== null ? <ProviderMark provider={storedType} size="lg" /> : undefined}
      />
      <FlowSteps current="source" />
      {sourceKey === null ? <ExpiredStep organizationId={organizationId} /> : <SourceStep sourceId={sourceKey} />}
    </Page>
  );
}
