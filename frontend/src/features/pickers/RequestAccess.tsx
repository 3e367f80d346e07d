import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Section } from '~/ui/layout/Page';
import styles from './PickerPage.module.css';

/** Lets another person connect the app, so that no credentials are shared. */
export function RequestAccess({ what }: { what: string }) {
  const organizationId = useOrganizationId();
  const address = new URL(paths.connectApp(organizationId), location.origin).href;
  return (
    <Section title="Don’t have access?">
      <p className="quiet">
        Invite the person who has access to {what} as an admin and send them this link. You can select what they connect.
      </p>
      <p className={styles.ask}>
        <code>{address}</code>
        <CopyButton text={address} label="Copy link" />
        <Link to={paths.settings(organizationId, { tab: 'team' })}>Invite member</Link>
      </p>
    </Section>
  );
}
