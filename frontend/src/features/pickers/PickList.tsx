import { Link } from 'react-router-dom';
import { ProviderMark } from '~/components/status/ProviderMark';
import styles from './PickerPage.module.css';

export interface PickLine {
  id: string;
  provider: string;
  name: string;
  detail: React.ReactNode;
  /** A link to the next step, a button, or the reason why there is none. */
  action: React.ReactNode;
}

/** Rows with one action each. */
export const PickList = ({ lines }: { lines: PickLine[] }) => (
  <ul className={styles.list}>
    {lines.map(({ id, provider, name, detail, action }) => (
      <li key={id}>
        <ProviderMark provider={provider} size="lg" />
        <span className={styles.text}>
          <span className="strong">{name}</span>
          <span className="label">{detail}</span>
        </span>
        {action}
      </li>
    ))}
  </ul>
);

interface ChooseLinkProps {
  to: string;
  /** Name for the accessible label of the link. */
  name: string;
  onChoose: () => void;
}

export const ChooseLink = ({ to, name, onChoose }: ChooseLinkProps) => (
  <Link to={to} className={styles.choose} aria-label={`Select ${name}`} onClick={onChoose}>
    {' '}
    Select{' '}
  </Link>
);
