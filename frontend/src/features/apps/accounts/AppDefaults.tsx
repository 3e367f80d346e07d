import { useSWRConfig } from 'swr';
import { updateSourceDefaults } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import { SourceChoices } from '~/components/source-form/SourceChoices';
import { keysOf } from '~/api/http/keys';
import { breakdownsOf } from '~/api/offered-streams';
import type { App, Connector } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { LookbackField } from '~/components/schedule/LookbackField';
import { Section } from '~/ui/layout/Page';
import { SettingRow } from '~/ui/layout/SettingRow';
import { toast } from '~/components/feedback/toast';
import styles from './Accounts.module.css';

type Defaults = NonNullable<App['sourceDefaults']>;

/** Used until defaults are saved: all breakdowns and the platform's attribution windows. */
const platformDefaults = ({ streams }: Connector): Defaults => ({
  level: 'keyword',
  breakdowns: breakdownsOf(streams),
  lookbackDays: null,
});

const textOf = ({ level, breakdowns, lookbackDays }: Defaults): string =>
  JSON.stringify([level, breakdowns.toSorted(), lookbackDays]);

function useDefaults(app: App, connector: Connector) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const form = useVersionedForm({
    latest: app,
    valuesOf: ({ sourceDefaults }) => sourceDefaults ?? platformDefaults(connector),
    textOf,
    refresh: () => mutate(keysOf(organizationId, 'app', 'apps')),
  });
  const store = (version: number) => updateSourceDefaults(organizationId, app.id, { ...form.values, version });
  const save = async () => {
    if (await form.run(() => form.save(store))) toast.done('Defaults saved for new sources');
  };
  return { ...form, save };
}

function Form({ app, connector }: { app: App; connector: Connector }) {
  const disabledReason = usePermissionGate('apps.write', 'set this');
  const isLocked = disabledReason !== null;
  const form = useDefaults(app, connector);
  const { values, change, conflict, failure } = form;
  const missing = conflict.isOpen ? 'Resolve the conflict above' : form.isSame ? 'No changes' : null;
  return (
    <>
      <SourceChoices connector={connector} value={values} onChange={change} isLocked={isLocked} />
      <SettingRow title="Lookback window" hint="Days each run reads again. Ad platforms restate recent days.">
        <LookbackField
          lookbackDays={values.lookbackDays}
          automaticDays={null}
          reason={values.lookbackDays === null ? 'Follows the attribution windows of each account.' : null}
          onChange={(lookbackDays) => change({ lookbackDays })}
          isLocked={isLocked}
        />
      </SettingRow>
      <div className={styles.defaultsFoot}>
        {conflict.isOpen && <ConflictNotice what="this app" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />}
        {failure !== null && <ErrorText error={failure} />}
        <GatedButton
          variant="default"
          loading={form.isBusy}
          disabledReason={disabledReason}
          waitsFor={missing}
          onClick={() => void form.save()}
        >
          Save defaults
        </GatedButton>
      </div>
    </>
  );
}

/** Default settings for new sources of the app. Renders nothing if the platform is not configured on this instance. */
export function AppDefaults({ app }: { app: App }) {
  const { data } = useCatalog();
  const connector = data?.connectors.find(({ provider }) => provider === app.provider);
  if (!connector) return null;
  return (
    <Section title="Defaults for new sources" aside="Existing sources aren’t affected">
      <Form app={app} connector={connector} />
    </Section>
  );
}
