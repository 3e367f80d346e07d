import { useParams, useSearchParams } from 'react-router-dom';
import { isNotFound } from '~/api/http/problem';
import { usePayment } from '~/api/payments/payments';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import type { PaymentTab } from '~/domain/navigation/paths';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Page } from '~/ui/layout/Page';
import { TabLinks } from '~/ui/layout/TabLinks';
import { NewPaymentPage } from './create/NewPaymentPage';
import { EventsTab } from './page/EventsTab';
import { OverviewTab } from './page/OverviewTab';
import { PaymentHeader } from './page/PaymentHeader';
import { RevenueTab } from './page/RevenueTab';
import { WebhookTab } from './page/WebhookTab';
import { SettingsTab } from './settings/SettingsTab';

const TABS: { key: PaymentTab; label: string }[] = [
  { key: 'overview', label: 'Overview' },
  { key: 'events', label: 'Events' },
  { key: 'revenue', label: 'Recurring revenue' },
  { key: 'webhook', label: 'Webhook' },
  { key: 'settings', label: 'Settings' },
];

const contents = {
  overview: OverviewTab,
  events: EventsTab,
  revenue: RevenueTab,
  webhook: WebhookTab,
  settings: SettingsTab,
};

function SavedPaymentPage({ id }: { id: string }) {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const { data, error, mutate } = usePayment(organizationId, id);
  useTitle(data?.name ?? 'Payment');
  if (isNotFound(error) && !data) throw error;
  const tab = TABS.find(({ key }) => key === parameters.get('tab'))?.key ?? 'overview';
  const Content = contents[tab];
  return (
    <Page>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle={data ? 'Couldn’t refresh this payment' : 'Couldn’t load this payment'}
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading the payment" rows={6} widths={['30%', '20%', '20%', 80]} />}
      >
        {(payment) => (
          <>
            <PaymentHeader payment={payment} />
            <TabLinks
              label="Payment"
              current={tab}
              tabs={TABS.map(({ key, label }) => ({ key, label, to: paths.payment(organizationId, id, { tab: key }) }))}
            />
            <Content payment={payment} />
          </>
        )}
      </LoadedContent>
    </Page>
  );
}

/** `/{org}/payment/new/configuration` creates a payment. */
export default function PaymentPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <NewPaymentPage /> : <SavedPaymentPage key={id} id={id} />;
}
