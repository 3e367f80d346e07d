import type { SettingsTab } from './paths';

/** The tabs of the settings, in order. The palette lists them, too. */
export const SETTINGS_TABS: { key: SettingsTab; label: string }[] = [
  { key: 'general', label: 'General' },
  { key: 'team', label: 'Team' },
  { key: 'security', label: 'Security' },
  { key: 'notifications', label: 'Notifications' },
  { key: 'api-keys', label: 'API keys' },
  { key: 'webhooks', label: 'Webhooks' },
  { key: 'usage', label: 'Usage' },
  { key: 'audit', label: 'Audit log' },
  { key: 'data', label: 'Data' },
  { key: 'danger', label: 'Danger zone' },
];
