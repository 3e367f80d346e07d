import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Source } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

/** Confirms that the app is connected and its first source is created. The next step is a destination. */
export function SourceCreated({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <LandingHead provider={source.provider} title={`${providerWords(source.provider).name} is connected`} />
      <p className="quiet" role="status">
        The source <strong className="strong">{source.name}</strong> reads {plural(source.accounts.length, 'account')}. Create a
        connection to load its data into a destination.
      </p>
      <div className={styles.buttons}>
        <Button component={Link} to={paths.createConnection(organizationId, { step: 'destination', source: source.id })}>
          Create connection
        </Button>
        <Button variant="default" component={Link} to={paths.source(organizationId, source.id, source.provider)}>
          Open source
        </Button>
        <Button variant="default" component={Link} to={paths.app(organizationId, source.appId)}>
          Open app
        </Button>
      </div>
    </>
  );
}
