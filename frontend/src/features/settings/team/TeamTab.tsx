import { InviteForm } from './InviteForm';
import { MembersSection } from './MembersSection';
import { SentInvitations } from './SentInvitations';
import { PartBoundary } from '~/components/feedback/PartBoundary';

export const TeamTab = () => (
  <>
    <InviteForm />
    <PartBoundary title="Members could not be shown">
      <MembersSection />
    </PartBoundary>
    <PartBoundary title="Invitations could not be shown">
      <SentInvitations />
    </PartBoundary>
  </>
);
