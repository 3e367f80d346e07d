import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useLoadedAt } from '~/lib/use-loaded-at';
import { useTitle } from '~/lib/use-title';
import { useOrganization } from '~/session/organization-context';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { OrganizationLogo } from '~/components/organization/OrganizationLogo';
import { Page, PageHeader } from '~/ui/layout/Page';
import { SubscriptionSkeleton } from './SubscriptionSkeleton';
import { SubscriptionView } from './SubscriptionView';
import { useFollowedSubscription } from './use-followed-subscription';

export default function SubscriptionPage() {
  const { id, document } = useOrganization();
  useTitle('Subscription');
  const { subscription, error, retry } = useFollowedSubscription();
  const loadedAt = useLoadedAt(subscription);
  const isOpen = subscription !== undefined && subscription.access !== 'closed';
  const name = document?.company_name ?? '';
  return (
    <Page width="form">
      <PageHeader
        title="Subscription"
        mark={name && <OrganizationLogo name={name} logo={document?.company_logo ?? null} size={32} />}
        subtitle={name}
        actions={
          <Button component={Link} variant="default" to={isOpen ? paths.connections(id) : paths.settings(id)}>
            {isOpen ? 'Go to connections' : 'Open settings'}
          </Button>
        }
      />
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load the subscription" loadedAt={loadedAt} onRetry={retry} />
      )}
      {subscription && <SubscriptionView subscription={subscription} />}
      {!subscription && error === undefined && <SubscriptionSkeleton />}
    </Page>
  );
}
