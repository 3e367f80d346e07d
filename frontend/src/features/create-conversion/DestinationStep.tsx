import { Button, Select } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useApps } from '~/api/apps';
import { useConversionTargets } from '~/api/conversions/conversion-setup';
import type { App } from '~/api/types';
import { GoogleApiChoice } from '~/components/conversion-rules/GoogleApiChoice';
import { MetaEventField } from '~/components/conversion-rules/MetaEventField';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { isAdPlatform } from '~/domain/accounts/providers';
import { googleApiOf, uploadRefunds } from '~/domain/conversions/google-api';
import type { GoogleApi } from '~/domain/conversions/google-api';
import { metaEventOf } from '~/domain/conversions/meta-event';
import { targetKey } from '~/domain/conversions/target-key';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import { Section } from '~/ui/layout/Page';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import styles from './CreateConversion.module.css';
import type { StepProps } from './step-props';
import { stepNeeds } from './steps';

type PartProps = Pick<StepProps, 'draft' | 'onChange'>;

const isWorking = ({ state }: App): boolean => state === 'connected' || state === 'expiring';
const noTarget = { target: null, traits: null };

const toAppChoice = (app: App) => ({
  id: app.id,
  mark: <ProviderMark provider={app.provider} />,
  title: app.displayName,
  detail: `${app.externalUser ?? 'Connected'}, ${plural(app.accounts.length, 'account')}`,
  aside: isWorking(app) ? providerName(app.provider) : 'Reconnect needed',
  isClosed: !isWorking(app),
});

function Account({ app, draft, onChange }: PartProps & { app: App }) {
  const { accountId } = draft;
  const isKnown = app.accounts.some(({ externalId }) => externalId === accountId);
  // With one account there is nothing to choose.
  const only = app.accounts.length === 1 ? app.accounts[0]?.externalId : undefined;
  useEffect(() => {
    if (!isKnown && only !== undefined) onChange({ accountId: only, ...noTarget });
  }, [isKnown, only, onChange]);
  return (
    <Section title="Account">
      <Select
        searchable
        className={styles.form}
        aria-label="Account"
        placeholder="Select an ad account"
        data={app.accounts.map(({ externalId, name, problem }) => ({
          value: externalId,
          label: `${name}, ${externalId}${problem ? `: ${problem}` : ''}`,
          disabled: problem !== undefined,
        }))}
        value={isKnown ? accountId : null}
        allowDeselect={false}
        onChange={(next) => next !== accountId && onChange({ accountId: next, ...noTarget })}
      />
    </Section>
  );
}

/** Only for Google Ads. */
function Api({ draft, onChange, refunds }: PartProps & { refunds: string }) {
  const { target, traits } = draft;
  const api = googleApiOf(target?.settings);
  if (api === null || target === null || traits === null) return null;
  const choose = (next: GoogleApi) =>
    onChange({
      target: { ...target, settings: { ...target.settings, api: next } },
      traits: { ...traits, refunds: next === 'google_ads_upload' ? uploadRefunds : refunds },
    });
  return (
    <div className={styles.api}>
      <h3 className="label">How events reach Google Ads</h3>
      <GoogleApiChoice value={api} onChange={choose} />
    </div>
  );
}

/** Only for Meta. */
function MetaEvent({ draft: { target }, onChange }: PartProps) {
  const eventName = metaEventOf(target?.settings);
  if (eventName === null || target === null) return null;
  const change = (next: string) => onChange({ target: { ...target, settings: { ...target.settings, eventName: next } } });
  return (
    <div className={styles.eventName}>
      <MetaEventField value={eventName} onChange={change} />
    </div>
  );
}

function Targets({
  appId,
  accountId,
  provider,
  draft,
  onChange,
}: PartProps & { appId: string; accountId: string; provider: string }) {
  const { data, error, mutate, isValidating } = useConversionTargets(useOrganizationId(), { appId, accountId });
  return (
    <Section title="Destination action" aside="What receives the events">
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load what can receive events"
        skeleton={<TableSkeleton label="Loading what can receive events" rows={3} widths={[20, '50%', 140]} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="quiet">Nothing in this account can receive events. Create it in {providerName(provider)} first.</p>}
      >
        {({ items, refunds }) => (
          <>
            <ChoiceList
              label="Destination action"
              name="target"
              value={draft.target === null ? null : targetKey(draft.target)}
              choices={items.map((item) => ({
                id: targetKey(item),
                mark: <ProviderMark provider={provider} />,
                title: item.name,
                detail: item.problem ?? item.kind,
                isClosed: item.problem !== null,
              }))}
              onChange={(id) => {
                const item = items.find((one) => targetKey(one) === id);
                if (!item) return;
                const { name, settings, hasValidateOnly, removesDuplicates, identifiers } = item;
                onChange({
                  target: { name, settings },
                  traits: { refunds: item.refunds, hasValidateOnly, removesDuplicates, identifiers },
                });
              }}
            />
            <Api draft={draft} onChange={onChange} refunds={refunds} />
            <MetaEvent draft={draft} onChange={onChange} />
          </>
        )}
      </LoadedContent>
      {data && (
        <Button variant="default" mt={12} loading={isValidating} onClick={() => void mutate()}>
          Check again
        </Button>
      )}
    </Section>
  );
}

function Parts({ apps, draft, onChange }: PartProps & { apps: App[] }) {
  const app = apps.find(({ id }) => id === draft.appId);
  return (
    <>
      <Section title="Ad platform" aside="Where events are sent">
        {apps.length === 0 && <p className="quiet">No ad platform is connected yet.</p>}
        <ChoiceList
          label="Ad platform"
          name="app"
          value={app?.id ?? null}
          onChange={(appId) => onChange({ appId, accountId: null, ...noTarget })}
          choices={apps.map(toAppChoice)}
        />
        <p className={styles.more}>
          <Link to={paths.addConversionDestination()} onClick={() => writeFlowState({ storedFrom: 'conversion' })}>
            Connect an ad platform
          </Link>
        </p>
      </Section>
      {app && <Account key={app.id} app={app} draft={draft} onChange={onChange} />}
      {app && draft.accountId !== null && (
        <Targets appId={app.id} accountId={draft.accountId} provider={app.provider} draft={draft} onChange={onChange} />
      )}
    </>
  );
}

export function DestinationStep({ draft, onChange, onGo }: StepProps) {
  const { data, error, mutate } = useApps(useOrganizationId());
  return (
    <>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load apps"
        skeleton={<TableSkeleton label="Loading apps" rows={3} widths={[20, '60%', 120]} />}
      >
        {({ items }) => <Parts apps={items.filter(({ provider }) => isAdPlatform(provider))} draft={draft} onChange={onChange} />}
      </LoadedContent>
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('source')}
        onNext={() => onGo('identifiers')}
        nextLabel="Identifiers"
        disabledReason={stepNeeds('destination', draft)}
      />
    </>
  );
}
