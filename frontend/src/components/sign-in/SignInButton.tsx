import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { writeFlowState } from '~/domain/navigation/flow-state';
import type { FlowState } from '~/domain/navigation/flow-state';
import { signInName } from '~/domain/accounts/providers';
import type { Authorization } from '~/api/authorize-app';
import { useSignIn } from './use-sign-in';
import styles from './SignInButton.module.css';

interface SignInButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'disabled'> {
  organizationId: string;
  authorization: Authorization;
  /** Where the flow started, for the page after the sign-in; null keeps the stored value. */
  from: FlowState['storedFrom'];
  children: React.ReactNode;
  /** The alignment of the button and the text below it. */
  align?: 'start' | 'end';
}

/** Opens the platform's sign-in and shows the state of its window. */
export function SignInButton({ organizationId, authorization, from, children, align = 'start', ...look }: SignInButtonProps) {
  const { phase, begin } = useSignIn(organizationId);
  const platform = signInName(authorization.provider);
  const leave = (hasWindow: boolean) => {
    if (from !== null) writeFlowState({ storedFrom: from, storedType: authorization.provider });
    void begin(authorization, hasWindow);
  };
  return (
    <span className={styles.group} data-align={align}>
      <Button {...look} loading={phase === 'opening'} onClick={() => leave(true)}>
        {phase === 'waiting' || phase === 'closed' ? `Open ${platform} again` : children}
      </Button>
      {phase !== 'idle' && phase !== 'opening' && (
        <span role="status" className={styles.note}>
          {phase === 'waiting'
            ? `Waiting for the ${platform} window.`
            : `The ${platform} window closed before the sign-in finished. Nothing was changed.`}{' '}
          <button type="button" className={styles.link} onClick={() => leave(false)}>
            Sign in on this page instead
          </button>
        </span>
      )}
    </span>
  );
}
