import { Button } from '@mantine/core';
import { createContext, useContext } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { describeError } from '~/api/http/describe-error';
import { Page } from '~/ui/layout/Page';
import { Brand, BrokenLogo, Logo } from '~/ui/data/Logo';
import styles from './ErrorPage.module.css';

/** Whether a layout with its own logo and `main` is around the page. */
export const InLayout = createContext(false);

interface FrameProps {
  mark: React.ReactNode;
  title: string;
  children: React.ReactNode;
  actions: React.ReactNode;
  footer?: React.ReactNode;
}

const FrameContent = ({ mark, title, children, actions }: FrameProps) => (
  <>
    {mark}
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.text}>{children}</p>
    <div className={styles.actions}>{actions}</div>
  </>
);

/** The whole window, or the content of a layout, which has its own logo and `main`. */
export function Frame(props: FrameProps) {
  if (useContext(InLayout))
    return (
      <Page>
        <FrameContent {...props} />
        <div className={styles.footer}>{props.footer}</div>
      </Page>
    );
  return (
    <div className={styles.frame}>
      <header>
        <Link to={paths.home()} className={styles.brand} aria-label="Tributary, home">
          <Brand />
        </Link>
      </header>
      <main className={styles.main}>
        <FrameContent {...props} />
      </main>
      <footer className={styles.footer}>{props.footer}</footer>
    </div>
  );
}

export function NotFoundPage() {
  const { pathname } = useLocation();
  useTitle('Page Not Found', true);
  return (
    <Frame
      mark={<BrokenLogo />}
      title="Page not found"
      actions={
        <Button component={Link} to={paths.home()} size="md">
          Go to the home page
        </Button>
      }
    >
      There is no page at <code className={styles.path}>{pathname}</code>. Check the link for typos.
    </Frame>
  );
}

/** There is neither a response nor data of the last visit. */
export function UnreachablePage({ organizationId }: { organizationId: string }) {
  useTitle('Couldn’t reach the server', true);
  const { mutate } = useSWRConfig();
  return (
    <Frame
      mark={<Logo size={40} color="var(--t-ink-3)" />}
      title="Couldn’t reach the server"
      actions={
        <Button size="md" onClick={() => void mutate(keys.document(organizationId))}>
          Try again
        </Button>
      }
    >
      Check your connection. The page opens as soon as the server responds.
    </Frame>
  );
}

export function ErrorPage({ error }: { error: unknown }) {
  useTitle('Internal Server Error', true);
  const { message, requestId } = describeError(error);
  return (
    <Frame
      mark={<Logo size={40} color="var(--t-ink-3)" />}
      title="Internal Server Error"
      actions={
        <Button size="md" onClick={() => location.reload()}>
          Reload the page
        </Button>
      }
      footer={
        requestId && (
          <>
            Request <code>{requestId}</code> <CopyButton text={requestId} label="Copy the request id" />
          </>
        )
      }
    >
      Couldn’t show this page: {message}
    </Frame>
  );
}
