import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useSession } from '~/session/session-context';
import { toast } from '~/components/feedback/toast';

/** Signs out. The invitation remains stored. */
export function SwitchAccount() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const change = async () => {
    setBusy(true);
    try {
      await signOut();
      void navigate(paths.login());
    } catch (error) {
      toast.failed(error);
      setBusy(false);
    }
  };
  return (
    <Button loading={isBusy} onClick={() => void change()}>
      Switch account
    </Button>
  );
}
