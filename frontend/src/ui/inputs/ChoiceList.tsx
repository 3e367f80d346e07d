import styles from './ChoiceList.module.css';

export interface Choice {
  id: string;
  mark: React.ReactNode;
  title: string;
  detail: React.ReactNode;
  aside?: React.ReactNode;
  isClosed?: boolean;
}

interface ChoiceListProps {
  label: string;
  name: string;
  choices: Choice[];
  value: string | null;
  onChange: (id: string) => void;
  /** Enter on the selected choice, as in a form. */
  onConfirm?: () => void;
}

/** A radio group as a list of rows. */
export const ChoiceList = ({ label, name, choices, value, onChange, onConfirm }: ChoiceListProps) => (
  <div role="radiogroup" aria-label={label} className={styles.list}>
    {choices.map((choice) => (
      <label
        key={choice.id}
        className={styles.row}
        data-checked={choice.id === value || undefined}
        data-closed={choice.isClosed || undefined}
      >
        <input
          type="radio"
          className={styles.radio}
          name={name}
          checked={choice.id === value}
          disabled={choice.isClosed}
          onChange={() => onChange(choice.id)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && choice.id === value) onConfirm?.();
          }}
        />
        {choice.mark}
        <span className={styles.text}>
          <span className={styles.title}>{choice.title}</span>
          <span className={styles.detail}>{choice.detail}</span>
        </span>
        {choice.aside && <span className={styles.aside}>{choice.aside}</span>}
      </label>
    ))}
  </div>
);
