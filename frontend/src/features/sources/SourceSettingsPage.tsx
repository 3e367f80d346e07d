import { useNavigate } from 'react-router-dom';
import { useApp, useCatalog } from '../../api/apps';
import { readDraft } from '../../api/connection-draft';
import { LostFlow } from '../../api/forms/LostFlow';
import { isNotFound } from '../../api/problem';
import { useSource } from '../../api/sources';
import { readFlowState } from '../../lib/flow-state';
import { afterSource } from '../../lib/flow-steps';
import { paths } from '../../lib/paths';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { Page, PageHeader } from '../../ui/Page';
import { ProviderMark } from '../../ui/ProviderMark';
import { WizardFooter } from '../../ui/WizardFooter';
import { SourceForm } from './SourceForm';

/** Accounts, level, breakdowns and windows of the source the flow has made so far, and on. */
function SourceStep({ sourceId }: { sourceId: string }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { data: source, error, mutate } = useSource(organizationId, sourceId);
  const { data: app } = useApp(organizationId, source?.appId ?? null);
  const { data: catalog } = useCatalog();
  if (isNotFound(error) && !source) return <LostFlow organizationId={organizationId} />;
  if (error !== undefined && !source)
    return <ErrorNotice error={error} title="The source could not be fetched" onRetry={() => void mutate()} />;
  if (!source || !app || !catalog) return <TableBones label="Loading the source" rows={5} widths={[160, '60%']} />;
  const { storedFrom } = readFlowState();
  return (
    <>
      <SourceForm
        key={source.version}
        source={source}
        listed={app.accounts}
        connector={catalog.connectors.find(({ provider }) => provider === source.provider)}
      />
      <WizardFooter
        savedAt={readDraft(organizationId)?.savedAt ?? null}
        onBack={() => void navigate(paths.createConnection(organizationId, { step: 'source' }))}
        onNext={() => void navigate(afterSource(organizationId, storedFrom, source))}
        nextLabel={storedFrom === 'connection' ? 'Destination' : 'Go on'}
      />
    </>
  );
}

/** `/SourceSettings`: a step of the flow; the source is the one the flow remembers. */
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
      {sourceKey === null ? <LostFlow organizationId={organizationId} /> : <SourceStep sourceId={sourceKey} />}
    </Page>
  );
}
