import { Button } from '@mantine/core';
import type { DemoFault } from '~/api/demo';
import { icon } from '~/ui/icon';
import styles from './Demo.module.css';
import { FAULTS } from './faults';

interface FaultListProps {
  busyWith: string | null;
  isDisabled: boolean;
  onCause: (name: DemoFault) => void;
}

export const FaultList = ({ busyWith, isDisabled, onCause }: FaultListProps) => (
  <ul className={styles.faults}>
    {FAULTS.map(({ name, icon: FaultIcon, title, text, button }) => (
      <li key={name} className={styles.fault}>
        <FaultIcon {...icon} className={styles.faultIcon} />
        <div className={styles.faultText}>
          <h3>{title}</h3>
          <p className="quiet">{text}</p>
        </div>
        <Button variant="default" loading={busyWith === name} disabled={isDisabled} onClick={() => onCause(name)}>
          {button}
        </Button>
      </li>
    ))}
  </ul>
);
