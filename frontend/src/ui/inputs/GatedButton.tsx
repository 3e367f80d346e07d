import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { Link } from 'react-router-dom';
import { LockedReason } from '~/ui/feedback/LockedReason';
import styles from './GatedButton.module.css';

interface GatedProps {
  /** Why the user has no permission: `Requires the Admin role to reconnect`. Null when the user has it. */
  disabledReason: string | null;
  /** What has to be done first, for all users: `Choose an account`. */
  waitsFor?: string | null;
  /** `end`: the reason is before the buttons, for buttons at the end of a line. */
  align?: 'start' | 'end';
  children: React.ReactNode;
}

/** Shows one reason next to a group of disabled buttons. */
export function Gated({ disabledReason, waitsFor = null, align = 'start', children }: GatedProps) {
  if (disabledReason === null && waitsFor === null) return children;
  return (
    <span className={styles.gated} data-align={align}>
      {children}
      {disabledReason === null ? <span className="label">{waitsFor}</span> : <LockedReason>{disabledReason}</LockedReason>}
    </span>
  );
}

export interface GatedButtonProps extends GatedProps, Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'loading'> {
  /** Renders a link to this path; a disabled one is a button. */
  to?: string;
  onClick?: () => void;
  /** The reason is shown elsewhere, for several buttons. */
  isDisabled?: boolean;
  /** `submit` for the button of a form. */
  type?: 'button' | 'submit';
}

/** A button or a link with the style of a button. It shows the reason when it is disabled. */
export function GatedButton({
  disabledReason,
  waitsFor = null,
  align,
  to,
  onClick,
  type = 'button',
  isDisabled = false,
  children,
  ...look
}: GatedButtonProps) {
  const isClosed = isDisabled || disabledReason !== null || waitsFor !== null;
  return (
    <Gated disabledReason={disabledReason} waitsFor={waitsFor} align={align}>
      {to === undefined || isClosed ? (
        <Button {...look} type={type} disabled={isClosed} onClick={onClick}>
          {children}
        </Button>
      ) : (
        <Button {...look} component={Link} to={to} onClick={onClick}>
          {children}
        </Button>
      )}
    </Gated>
  );
}
