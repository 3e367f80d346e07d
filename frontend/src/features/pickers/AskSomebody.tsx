import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Section } from '~/ui/layout/Page';
import styles from './PickerPage.module.css';

/** Access often belongs to somebody else: they connect it themselves, and no password has to be passed on. */
export function AskSomebody({ what }: { what: string }) {
  const organizationId = useOrganizationId();
  const address = new URL(paths.connectApp(organizationId), location.origin).href;
  return (
    <Section title="Ask someone else to connect">
      <p className="quiet">
        Somebody else has the access to {what}? Invite them as an admin, and send them this address: they sign in themselves, and
        what they connect is here for you to choose.
      </p>
      <p className={styles.ask}>
        <code>{address}</code>
        <CopyButton text={address} label="Copy the address" />
        <Link to={paths.settings(organizationId, { tab: 'team' })}>Invite a member</Link>
      </p>
    </Section>
  );
}
