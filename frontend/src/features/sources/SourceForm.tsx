import { TextInput } from '@mantine/core';
import { SourceChoices } from '~/components/source-form/SourceChoices';
import type { AdAccount, Connector, Source } from '~/api/types';
import { isCustomApp, signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { AccountTree } from '~/components/accounts/AccountTree';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SchemaFields } from '~/components/settings-form/SchemaFields';
import { SettingRow } from '~/ui/layout/SettingRow';
import { offeredStreams } from '~/api/offered-streams';
import styles from './SourcePage.module.css';
import { StreamList } from './StreamList';
import { useSourceForm } from './use-source-form';
import { WindowsField } from './WindowsField';

/** Accounts of the app and selected accounts that the app no longer lists. */
const selectableAccounts = (source: Source, listed: AdAccount[]): AdAccount[] => [
  ...listed,
  ...source.accounts.filter(({ externalId }) => listed.every((account) => account.externalId !== externalId)),
];

interface SourceProps {
  source: Source;
  /** Accounts in the last account list of the app. */
  listed: AdAccount[];
  connector: Connector | undefined;
}

export type SourceFormState = ReturnType<typeof useSourceForm>;

interface SourceFieldsProps extends SourceProps {
  state: SourceFormState;
  isLocked: boolean;
}

/** Level, breakdowns and the resulting tables. */
function What({ state, connector, isLocked }: { state: SourceFormState; connector: Connector; isLocked: boolean }) {
  const { form, change } = state;
  const { settings } = form;
  const streams = offeredStreams(connector.streams, settings);
  return (
    <>
      <SourceChoices
        connector={connector}
        value={settings}
        onChange={(choice) => change({ settings: { ...settings, ...choice } })}
        isLocked={isLocked}
      />
      <SettingRow
        title="Tables"
        hint={
          isCustomApp(connector.provider)
            ? 'Every event that is pushed to the app becomes a row.'
            : 'Result of level and breakdowns. Each connection selects from these tables.'
        }
      >
        <StreamList streams={streams} />
      </SettingRow>
    </>
  );
}

function whyNotSaved({ isSame, disabledReason, conflict }: SourceFormState): string | null {
  if (conflict.isOpen) return 'Resolve the conflict above';
  if (disabledReason !== null) return disabledReason;
  return isSame ? 'No changes' : null;
}

function Foot({ state, disabledReason }: { state: SourceFormState; disabledReason: string | null }) {
  const { conflict, failure, isBusy, save } = state;
  return (
    <div className={styles.foot}>
      {conflict.isOpen && <ConflictNotice what="this source" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />}
      {failure !== null && <ErrorText error={failure} />}
      <div>
        <GatedButton loading={isBusy} disabledReason={disabledReason} waitsFor={whyNotSaved(state)} onClick={() => void save()}>
          Save source
        </GatedButton>
      </div>
    </div>
  );
}

/** All settings of a source. The parent component saves them. */
export function SourceFields({ source, listed, connector, state, isLocked }: SourceFieldsProps) {
  const { form, change, fields, errors } = state;
  return (
    <div className={styles.form}>
      <SettingRow title="Name">
        <TextInput
          aria-label="Name"
          value={form.name}
          disabled={isLocked}
          maxLength={120}
          error={form.name.trim() === '' ? 'Enter a source name' : null}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </SettingRow>
      {!isCustomApp(source.provider) && (
        <SettingRow
          title="Accounts"
          hint="Time zone and currency come from the platform. Days are in the time zone of each account."
        >
          <AccountTree
            accounts={selectableAccounts(source, listed)}
            chosen={form.accountIds}
            onChange={(accountIds) => change({ accountIds })}
            platform={signInName(source.provider)}
            isLocked={isLocked}
          />
        </SettingRow>
      )}
      {connector && <What state={state} connector={connector} isLocked={isLocked} />}
      {!isCustomApp(source.provider) && (
        <SettingRow
          title="Lookback window"
          hint="Days that are read again once a day, because ad platforms restate them. Every run reads the last 3 days."
        >
          <WindowsField
            source={source}
            lookbackDays={form.settings.lookbackDays}
            onChange={(lookbackDays) => change({ settings: { ...form.settings, lookbackDays } })}
            isLocked={isLocked}
          />
        </SettingRow>
      )}
      {fields.length > 0 && (
        <SettingRow title="Options" hint={`Settings specific to ${connector?.name ?? 'the platform'}.`}>
          <SchemaFields
            fields={fields}
            values={form.options}
            errors={errors}
            onChange={(name, value) => change({ options: { ...form.options, [name]: value } })}
            isLocked={isLocked}
          />
        </SettingRow>
      )}
    </div>
  );
}

export function SourceForm(props: SourceProps) {
  const disabledReason = usePermissionGate('sources.write');
  const state = useSourceForm(useOrganizationId(), props.source, props.connector?.settingsSchema ?? null);
  return (
    <>
      <SourceFields {...props} state={state} isLocked={disabledReason !== null} />
      <Foot state={state} disabledReason={disabledReason} />
    </>
  );
}
