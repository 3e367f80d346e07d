import { toast } from '~/components/feedback/toast';
import { useAction } from '~/lib/use-action';
import { GatedButton } from '~/ui/inputs/GatedButton';
import type { GatedButtonProps } from '~/ui/inputs/GatedButton';

interface ActionButtonProps extends Pick<GatedButtonProps, 'disabledReason' | 'variant' | 'children'> {
  onAct: () => Promise<unknown>;
}

/** Starts something at the server, such as a run. It is busy until the answer, so that a second click does not start it again. */
export function ActionButton({ onAct, ...button }: ActionButtonProps) {
  const { run, isBusy } = useAction({ onError: toast.failed });
  return <GatedButton {...button} loading={isBusy} onClick={() => void run(onAct)} />;
}
