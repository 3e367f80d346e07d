import { InviteForm } from './InviteForm';
import { MembersSection } from './MembersSection';
import { SentInvitations } from './SentInvitations';
import { PartBoundary } from '~/components/feedback/PartBoundary';

export const TeamTab = () => (
  <>
    <InviteForm />
    <PartBoundary title="Couldn’t show members">
      <MembersSection />
    </PartBoundary>
    <PartBoundary title="Couldn’t show invitations">
      <SentInvitations />
    </PartBoundary>
  </>
);
