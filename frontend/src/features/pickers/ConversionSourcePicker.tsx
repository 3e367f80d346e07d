import { useConversionSources } from '~/api/conversions/conversion-setup';
import type { ConversionSourceChoice } from '~/api/types';
import { providerWords } from '~/domain/accounts/providers';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { newDestinationStep } from '~/domain/navigation/flow-steps';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { PickerPage } from './PickerPage';
import { ChooseLink } from './PickList';
import type { PickLine } from './PickList';
import { useCatalogLines } from './use-picker-lines';

/** A custom app is created in the catalog of apps. */
function useCustomAppLine(): PickLine {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  return {
    id: 'custom',
    provider: 'custom',
    name: providerWords('custom').name,
    detail: 'Receives events over HTTPS with a key.',
    action: (
      <GatedButton align="end" variant="default" disabledReason={disabledReason} to={paths.connectApp(organizationId)}>
        Create custom app
      </GatedButton>
    ),
  };
}

/** The payments of a Stripe account become events. The account is connected in the catalog of apps. */
function useStripeLine(): PickLine {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  return {
    id: 'stripe',
    provider: 'stripe',
    name: providerWords('stripe').name,
    detail: 'Payments, refunds and subscriptions, read with a restricted key.',
    action: (
      <GatedButton align="end" variant="default" disabledReason={disabledReason} to={paths.connectApp(organizationId)}>
        Connect Stripe
      </GatedButton>
    ),
  };
}

/** Apps and destinations that events can be read from, then those that can be set up. */
export function ConversionSourcePicker() {
  const organizationId = useOrganizationId();
  const sources = useConversionSources(organizationId);
  const custom = useCustomAppLine();
  const stripe = useStripeLine();
  const catalog = useCatalogLines({
    role: 'destination',
    from: 'conversion',
    returnTo: paths.addConversionSource(),
    formPath: (provider) => newDestinationStep(organizationId, null, provider),
  });
  const toLine = ({ provider, appId, destinationId, name }: ConversionSourceChoice): PickLine => {
    const id = appId ?? destinationId ?? '';
    return {
      id,
      provider,
      name,
      detail: providerWords(provider).name,
      action: (
        <ChooseLink
          to={paths.createConversion(organizationId, { step: 'source', source: id })}
          name={name}
          onChoose={() => writeFlowState({ storedFrom: 'conversion', storedType: provider, sourceKey: id })}
        />
      ),
    };
  };
  return (
    <PickerPage
      title="Add conversion source"
      home={{ label: 'Conversions', to: paths.conversions(organizationId) }}
      existing={{ title: 'Your event sources', none: 'No sources yet.', lines: sources.data?.items.map(toLine) }}
      catalog={{ title: 'New source', lines: catalog.lines && [stripe, custom, ...catalog.lines] }}
      askFor="the events"
      error={sources.error ?? catalog.error}
      onRetry={() => void Promise.all([sources.mutate(), catalog.retry()])}
    />
  );
}
