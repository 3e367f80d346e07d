import { useTitle } from '~/lib/use-title';
import { Page, PageHeader } from '~/ui/layout/Page';
import { PartBoundary } from '~/components/feedback/PartBoundary';
import { EmailRow } from './EmailRow';
import { SecondFactorRow } from './SecondFactorRow';

/** Settings of the user, independent of any organization. */
export default function AccountPage() {
  useTitle('Your account');
  return (
    <Page width="form">
      <PageHeader title="Your account" />
      <EmailRow />
      <PartBoundary title="Couldn’t load two-step sign-in">
        <SecondFactorRow />
      </PartBoundary>
    </Page>
  );
}
