import type { App } from '~/api/types';
import { plural } from '~/lib/numbers';
import { sentence } from '~/lib/sentence';
import { signInName } from '~/domain/accounts/providers';
import { Gated } from '~/ui/inputs/GatedButton';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { appCan } from '~/features/apps/app-state';
import { ProbeButton } from '~/features/apps/page/AppActions';
import styles from './Accounts.module.css';

function Outcome({ app }: { app: App }) {
  const platform = signInName(app.provider);
  if (app.lastProbeAt === null) return <>Not checked yet.</>;
  return (
    <>
      Checked <RelativeTime at={app.lastProbeAt} isFocusable />:{' '}
      {app.failure
        ? `${sentence(app.failure.message)} ${sentence(app.failure.action)}`
        : `${platform} access works, ${plural(app.accounts.length, 'account')} found.`}
    </>
  );
}

/** Signed-in user, time and result of the last access test, and a button to test now. */
export const ProbeResult = ({ app, disabledReason }: { app: App; disabledReason: string | null }) => (
  <div className={styles.probe}>
    <div>
      {app.externalUser && <p className="strong">{app.externalUser}</p>}
      <p className="quiet" role="status">
        <Outcome app={app} />
      </p>
    </div>
    {appCan.probe(app) && (
      <Gated disabledReason={disabledReason} align="end">
        <ProbeButton app={app} disabled={disabledReason !== null} />
      </Gated>
    )}
  </div>
);
