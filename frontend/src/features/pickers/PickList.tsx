import { Link } from 'react-router-dom';
import { ProviderMark } from '~/components/status/ProviderMark';
import styles from './PickerPage.module.css';

export interface PickLine {
  id: string;
  provider: string;
  name: string;
  detail: React.ReactNode;
  /** What can be done with it: a link that goes on, a button, or the reason why not. */
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
  /** What is chosen, for whoever hears the link alone. */
  name: string;
  onChoose: () => void;
}

export const ChooseLink = ({ to, name, onChoose }: ChooseLinkProps) => (
  <Link to={to} className={styles.choose} aria-label={`Choose ${name}`} onClick={onChoose}>
    Choose
  </Link>
);
