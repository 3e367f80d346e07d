import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useSession } from '~/session/session-context';
import { toast } from '~/components/feedback/toast';

/** Signs out. The invitation remains stored. */
export function SwitchAccount() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const { run, isBusy } = useAction({ onError: toast.failed, leavesPage: true });
  const change = async () => {
    await signOut();
    void navigate(paths.login());
  };
  return (
    <Button loading={isBusy} onClick={() => void run(change)}>
      Switch account
    </Button>
  );
}
