import { useSearchParams } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import type { SettingsTab } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { Page, PageHeader } from '~/ui/layout/Page';
import { PartBoundary } from '~/components/feedback/PartBoundary';
import { TabLinks } from '~/ui/layout/TabLinks';
import { ApiKeysTab } from './api-keys/ApiKeysTab';
import { AuditTab } from './audit/AuditTab';
import { DangerTab } from './danger/DangerTab';
import { GeneralTab } from './general/GeneralTab';
import { SecurityTab } from './security/SecurityTab';
import styles from './SettingsPage.module.css';
import { TeamTab } from './team/TeamTab';
import { UsageTab } from './usage/UsageTab';

const TABS: { key: SettingsTab; label: string; Content: React.ComponentType }[] = [
  { key: 'general', label: 'General', Content: GeneralTab },
  { key: 'team', label: 'Team', Content: TeamTab },
  { key: 'security', label: 'Security', Content: SecurityTab },
  { key: 'api-keys', label: 'API keys', Content: ApiKeysTab },
  { key: 'usage', label: 'Usage', Content: UsageTab },
  { key: 'audit', label: 'Audit log', Content: AuditTab },
  { key: 'danger', label: 'Danger zone', Content: DangerTab },
];

export default function SettingsPage() {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const tab = TABS.find(({ key }) => key === parameters.get('tab')) ?? TABS[0];
  useTitle(tab ? `${tab.label}, settings` : 'Settings');
  if (!tab) return null;
  return (
    <Page>
      <PageHeader title="Settings" />
      <TabLinks
        label="Settings"
        current={tab.key}
        tabs={TABS.map(({ key, label }) => ({ key, label, to: paths.settings(organizationId, { tab: key }) }))}
      />
      <div className={styles.form}>
        <PartBoundary key={`${organizationId} ${tab.key}`} title={`Couldn’t show ${tab.label}`}>
          <tab.Content />
        </PartBoundary>
      </div>
    </Page>
  );
}
