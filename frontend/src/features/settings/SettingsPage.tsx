import { useSearchParams } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { SETTINGS_TABS } from '~/domain/navigation/settings-tabs';
import type { SettingsTab } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { Page, PageHeader } from '~/ui/layout/Page';
import { PartBoundary } from '~/components/feedback/PartBoundary';
import { TabLinks } from '~/ui/layout/TabLinks';
import { ApiKeysTab } from './api-keys/ApiKeysTab';
import { AuditTab } from './audit/AuditTab';
import { DataTab } from './data/DataTab';
import { DangerTab } from './danger/DangerTab';
import { GeneralTab } from './general/GeneralTab';
import { NotificationsTab } from './notifications/NotificationsTab';
import { SecurityTab } from './security/SecurityTab';
import styles from './SettingsPage.module.css';
import { TeamTab } from './team/TeamTab';
import { UsageTab } from './usage/UsageTab';
import { WebhooksTab } from './webhooks/WebhooksTab';

const contents: Record<SettingsTab, React.ComponentType> = {
  general: GeneralTab,
  team: TeamTab,
  security: SecurityTab,
  notifications: NotificationsTab,
  'api-keys': ApiKeysTab,
  webhooks: WebhooksTab,
  usage: UsageTab,
  audit: AuditTab,
  data: DataTab,
  danger: DangerTab,
};

export default function SettingsPage() {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const tab = SETTINGS_TABS.find(({ key }) => key === parameters.get('tab')) ?? SETTINGS_TABS[0];
  useTitle(tab ? `${tab.label}, settings` : 'Settings');
  if (!tab) return null;
  const Content = contents[tab.key];
  return (
    <Page>
      <PageHeader title="Settings" />
      <TabLinks
        label="Settings"
        current={tab.key}
        tabs={SETTINGS_TABS.map(({ key, label }) => ({ key, label, to: paths.settings(organizationId, { tab: key }) }))}
      />
      <div className={styles.form}>
        <PartBoundary key={`${organizationId} ${tab.key}`} title={`Couldn’t show ${tab.label}`}>
          <Content />
        </PartBoundary>
      </div>
    </Page>
  );
}
