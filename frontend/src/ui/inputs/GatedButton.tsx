import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { Link } from 'react-router-dom';
import styles from './GatedButton.module.css';
import { LockedReason } from '~/ui/feedback/LockedReason';

interface GatedProps {
  /** Why the reader may not: `Needs an admin to reconnect`. Null: nothing is closed. */
  disabledReason: string | null;
  /** Why it makes no sense yet, whoever asks: `Choose an account`. */
  waitsFor?: string | null;
  /** Where the buttons stand at the end of a line, the reason comes first. */
  align?: 'start' | 'end';
  children: React.ReactNode;
}

/** Buttons that stay where they are while they are closed, with the reason in words beside them: once, however many there are. */
export function Gated({ disabledReason, waitsFor = null, align = 'start', children }: GatedProps) {
  if (disabledReason === null && waitsFor === null) return children;
  return (
    <span className={styles.gated} data-align={align}>
      {children}
      {disabledReason === null ? <span className="label">{waitsFor}</span> : <LockedReason>{disabledReason}</LockedReason>}
    </span>
  );
}

interface GatedButtonProps extends GatedProps, Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'loading'> {
  /** A link where it leads to a page; a closed one leads nowhere. */
  to?: string;
  onClick?: () => void;
}

/** A button, or a link that looks like one, that says why it is closed where it is. */
export function GatedButton({ disabledReason, waitsFor = null, align, to, onClick, children, ...look }: GatedButtonProps) {
  const isClosed = disabledReason !== null || waitsFor !== null;
  return (
    <Gated disabledReason={disabledReason} waitsFor={waitsFor} align={align}>
      {to === undefined || isClosed ? (
        <Button {...look} disabled={isClosed} onClick={onClick}>
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
