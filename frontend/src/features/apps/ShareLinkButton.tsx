import { Button, Modal } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { revokeShareLink, shareApp } from '~/api/app-access';
import { keysOf } from '~/api/http/keys';
import type { App, ShareLink } from '~/api/types';
import { formatMoment } from '~/lib/dates';
import { signInName } from '~/domain/accounts/providers';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { ErrorText } from '~/components/feedback/ErrorText';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import styles from './ShareLinkButton.module.css';

function Link({ link }: { link: ShareLink }) {
  const now = useNow();
  return (
    <>
      <div className={styles.link}>
        <code>{link.url}</code>
        <CopyButton text={link.url} label="Copy link" />
      </div>
      <p className="label">You won’t see this link again. It works once and expires {formatMoment(link.expiresAt, now)}.</p>
    </>
  );
}

function Dialog({ app, onClose }: { app: App; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const now = useNow();
  const [link, setLink] = useState<ShareLink | null>(null);
  const { run, isBusy, error } = useAction();
  const attempt = (work: () => Promise<void>) =>
    run(() => work().finally(() => mutate(keysOf(organizationId, 'app', 'apps', 'appHistory'))));
  const create = () => attempt(async () => setLink(await shareApp(organizationId, app.id)));
  const revoke = () =>
    attempt(async () => {
      await revokeShareLink(organizationId, app.id);
      toast.done('The link no longer works');
      onClose();
    });
  const isPending = link !== null || Boolean(app.shareLink);
  return (
    <div className={styles.dialog}>
      <p>
        The recipient signs in with {signInName(app.provider)} and reconnects {app.displayName}. They don’t need an account here
        and get no other access.
      </p>
      {link && <Link link={link} />}
      {!link && app.shareLink && (
        <p className="quiet">
          A reconnect link is pending until {formatMoment(app.shareLink.expiresAt, now)}. It cannot be shown again. A new link
          replaces it.
        </p>
      )}
      {error !== null && <ErrorText error={error} />}
      <div className={styles.buttons}>
        {isPending && (
          <Button variant="default" loading={isBusy} onClick={() => void revoke()}>
            Revoke link
          </Button>
        )}
        {!link && (
          <Button loading={isBusy} onClick={() => void create()}>
            {isPending ? 'Create new link' : 'Create link'}
          </Button>
        )}
        {link && <Button onClick={onClose}>Done</Button>}
      </div>
    </div>
  );
}

/** Creates a single-use link that lets a person without an account reconnect this app. It expires after 24 h. */
export function ShareLinkButton({ app, ...look }: { app: App } & Pick<ButtonProps, 'size' | 'variant' | 'disabled'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" {...look} leftSection={<IconLink {...icon} />} onClick={() => setOpen(true)}>
        Share link
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Share a reconnect link"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Dialog app={app} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}
