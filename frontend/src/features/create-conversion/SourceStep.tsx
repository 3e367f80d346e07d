import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useConversionSources } from '~/api/conversions/conversion-setup';
import { useDestinations } from '~/api/destinations';
import type { ConversionSourceChoice } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { startingRules } from '~/domain/conversions/rules';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import { Section } from '~/ui/layout/Page';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import styles from './CreateConversion.module.css';
import { sourceDetail } from './source-detail';
import { SourceSample } from './SourceSample';
import type { StepProps } from './step-props';
import { stepNeeds } from './steps';

const idOf = ({ appId, destinationId }: Pick<ConversionSourceChoice, 'appId' | 'destinationId'>): string =>
  appId ?? destinationId ?? '';

/** Keeps filter and mapping only for the same source: other records have other fields. */
const chosen = ({ provider, appId, destinationId, name }: ConversionSourceChoice) => ({
  source: { provider, appId, destinationId, name },
  sourceValues: {},
  sourceSettings: {},
  sample: null,
  mappedFor: null,
  rules: startingRules,
});

/** Selects the source that was picked on another page; its id is in the URL. */
function usePicked(
  items: ConversionSourceChoice[],
  selected: ConversionSourceChoice | undefined,
  onChange: StepProps['onChange'],
): void {
  const picked = useSearchParams()[0].get('source');
  const applied = useRef<string | null>(null);
  useEffect(() => {
    const choice = items.find((item) => idOf(item) === picked);
    if (!choice || applied.current === picked) return;
    applied.current = picked;
    if (choice !== selected) onChange(chosen(choice));
  }, [items, picked, selected, onChange]);
}

function Choices({ items, draft, onChange, onGo }: Omit<StepProps, 'onFinished'> & { items: ConversionSourceChoice[] }) {
  const destinations = useDestinations(useOrganizationId()).data?.items ?? [];
  const selected = items.find((item) => draft.source !== null && idOf(item) === idOf(draft.source));
  const select = (id: string) => {
    const choice = items.find((item) => idOf(item) === id);
    if (choice && choice !== selected) onChange(chosen(choice));
  };
  usePicked(items, selected, onChange);
  return (
    <>
      <Section title="Source event" aside="Where events are read">
        {items.length === 0 && (
          <p className="quiet">No source yet. Add a Stripe account, a custom app, a warehouse or Mixpanel.</p>
        )}
        <ChoiceList
          label="Source"
          name="source"
          value={selected ? idOf(selected) : null}
          onChange={select}
          onConfirm={stepNeeds('source', draft) === null ? () => onGo('destination') : undefined}
          choices={items.map((item) => ({
            id: idOf(item),
            mark: <ProviderMark provider={item.provider} />,
            title: item.name,
            detail: sourceDetail(item, destinations),
            aside: providerName(item.provider),
          }))}
        />
        <p className={styles.more}>
          <Link to={paths.addConversionSource()} onClick={() => writeFlowState({ storedFrom: 'conversion' })}>
            {items.length === 0 ? 'Add a source' : 'Add another source'}
          </Link>
        </p>
      </Section>
      {selected && <SourceSample key={idOf(selected)} choice={selected} draft={draft} onChange={onChange} />}
    </>
  );
}

export function SourceStep({ draft, onChange, onGo }: StepProps) {
  const { data, error, mutate } = useConversionSources(useOrganizationId());
  return (
    <>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load sources"
        skeleton={<TableSkeleton label="Loading sources" rows={3} widths={[20, '60%', 120]} />}
      >
        {({ items }) => <Choices items={items} draft={draft} onChange={onChange} onGo={onGo} />}
      </LoadedContent>
      <WizardFooter
        savedAt={draft.savedAt}
        onNext={() => onGo('destination')}
        nextLabel="Destination"
        disabledReason={stepNeeds('source', draft)}
      />
    </>
  );
}
