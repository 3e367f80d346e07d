import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { describeError } from '~/api/http/describe-error';
import { Brand, BrokenLogo, Logo } from '~/ui/data/Logo';
import styles from './ErrorPage.module.css';

interface FrameProps {
  mark: React.ReactNode;
  title: string;
  children: React.ReactNode;
  actions: React.ReactNode;
  footer?: React.ReactNode;
}

export const Frame = ({ mark, title, children, actions, footer }: FrameProps) => (
  <div className={styles.frame}>
    <Link to={paths.home()} className={styles.brand} aria-label="Tributary, home">
      <Brand />
    </Link>
    <main className={styles.main}>
      {mark}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{children}</p>
      <div className={styles.actions}>{actions}</div>
    </main>
    <footer className={styles.footer}>{footer}</footer>
  </div>
);

export function NotFoundPage() {
  const { pathname } = useLocation();
  useTitle('Page Not Found', true);
  return (
    <Frame
      mark={<BrokenLogo />}
      title="Page not found"
      actions={
        <Button component={Link} to={paths.home()} size="md">
          Go to connections
        </Button>
      }
    >
      There is no page at <code className={styles.path}>{pathname}</code>. Check the link for typos.
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
