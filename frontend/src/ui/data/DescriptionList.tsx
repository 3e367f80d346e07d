import styles from './DescriptionList.module.css';

export interface Fact {
  label: string;
  value: React.ReactNode;
}

export const DescriptionList = ({ facts }: { facts: Fact[] }) => (
  <dl className={styles.facts}>
    {facts.map(({ label, value }) => (
      <div key={label} className={styles.fact}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
