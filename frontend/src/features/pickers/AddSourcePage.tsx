import { useSources } from '../../api/sources';
import type { Source } from '../../api/types';
import { readFlowState, writeFlowState } from '../../lib/flow-state';
import { afterSource } from '../../lib/flow-steps';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId } from '../../session/organization-context';
import { PickerPage } from './PickerPage';
import { ChooseLink } from './PickList';
import { useCatalogLines } from './use-picker-lines';

export default function AddSourcePage() {
  const organizationId = useOrganizationId();
  const sources = useSources(organizationId);
  const from = readFlowState().storedFrom ?? 'app';
  const catalog = useCatalogLines({ role: 'source', from, returnTo: paths.addSource(), formPath: () => null });
  const toLine = (source: Source) => ({
    id: source.id,
    provider: source.provider,
    name: source.name,
    detail: `${source.appName}, ${plural(source.accounts.length, 'account')}`,
    action: (
      <ChooseLink
        to={afterSource(organizationId, from, source)}
        name={source.name}
        onChoose={() => writeFlowState({ storedType: source.provider, sourceKey: source.id })}
      />
    ),
  });
  return (
    <PickerPage
      title="Add source"
      home={{ label: 'Sources', to: paths.sources(organizationId) }}
      existing={{ title: 'Your sources', none: 'No source yet.', lines: sources.data?.items.map(toLine) }}
      catalog={{ title: 'Connect a new one', lines: catalog.lines }}
      askFor="the ad accounts"
      error={sources.error ?? catalog.error}
      onRetry={() => void Promise.all([sources.mutate(), catalog.retry()])}
    />
  );
}
