import { coverageWords } from '~/domain/connections/coverage';
import type { CoverageState } from '~/domain/connections/coverage';
import styles from './CoverageCell.module.css';

/** The shape shows the state. Color only repeats it. */
export const CellMark = ({ state }: { state: CoverageState }) => <span className={styles.cell} data-state={state} aria-hidden />;

export const CoverageLegend = () => (
  <ul className={styles.legend} aria-label="Legend">
    {(Object.keys(coverageWords) as CoverageState[]).map((state) => (
      <li key={state}>
        <CellMark state={state} /> {coverageWords[state]}
      </li>
    ))}
  </ul>
);
