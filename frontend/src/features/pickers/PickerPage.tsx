import { paths } from '~/domain/navigation/paths';
import { readFlowState } from '~/domain/navigation/flow-state';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Page, PageHeader, Section } from '~/ui/layout/Page';
import { RequestAccess } from './RequestAccess';
import { PickList } from './PickList';
import type { PickLine } from './PickList';

interface PickerPageProps {
  title: string;
  /** Parent page outside a flow. */
  home: { label: string; to: string };
  existing: { title: string; none: string; lines: PickLine[] | undefined };
  catalog: { title: string; lines: PickLine[] | undefined };
  /** Resource that another person may have access to. */
  askFor: string;
  error: unknown;
  onRetry: () => void;
}

/** Selection step: existing resources, new ones, and how to request access from another person. */
export function PickerPage({ title, home, existing, catalog, askFor, error, onRetry }: PickerPageProps) {
  useTitle(title);
  const organizationId = useOrganizationId();
  const isInWizard = readFlowState().storedFrom === 'connection';
  const parent = isInWizard
    ? { label: 'Create connection', to: paths.createConnection(organizationId, { step: 'review' }) }
    : home;
  const isLoading = existing.lines === undefined || catalog.lines === undefined;
  return (
    <Page width="form">
      <PageHeader title={title} parent={parent} />
      {error !== undefined && isLoading && <ErrorNotice error={error} title="Couldn’t load the options" onRetry={onRetry} />}
      {error === undefined && isLoading && <TableSkeleton label="Loading options" rows={4} widths={[32, '60%', 120]} />}
      {existing.lines && catalog.lines && (
        <>
          <Section title={existing.title}>
            {existing.lines.length === 0 ? <p className="quiet">{existing.none}</p> : <PickList lines={existing.lines} />}
          </Section>
          <Section title={catalog.title}>
            <PickList lines={catalog.lines} />
          </Section>
          <RequestAccess what={askFor} />
        </>
      )}
    </Page>
  );
}
