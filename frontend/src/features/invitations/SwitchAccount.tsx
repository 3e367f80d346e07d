import { Button } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { saveCallback } from '~/session/callback';
import { useSession } from '~/session/session-context';
import { toast } from '~/components/feedback/toast';

/** Signs out, and returns to the invitation after the next sign-in. */
export function SwitchAccount({ isSecondary = false, size = 'sm' }: { isSecondary?: boolean; size?: 'sm' | 'md' }) {
  const { pathname, search } = useLocation();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const { run, isBusy } = useAction({ onError: toast.failed, leavesPage: true });
  const change = async () => {
    await signOut();
    saveCallback(pathname + search);
    void navigate(paths.login());
  };
  return (
    <Button size={size} variant={isSecondary ? 'default' : 'filled'} loading={isBusy} onClick={() => void run(change)}>
      Switch account
    </Button>
  );
}
