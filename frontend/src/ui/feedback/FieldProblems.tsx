import { focusField } from '~/lib/focus-field';
import type { FieldProblem } from '~/lib/focus-field';
import { plural } from '~/lib/numbers';
import styles from './FieldProblems.module.css';

/** The fields that prevent saving, beside the button that saves. Each name moves the focus to its field. */
export const FieldProblems = ({ problems }: { problems: FieldProblem[] }) => (
  <span role="status" className={styles.problems}>
    {problems.length > 0 && `${plural(problems.length, 'field')} ${problems.length === 1 ? 'needs' : 'need'} attention: `}
    {problems.map((problem, index) => (
      <span key={problem.field}>
        {index > 0 && ', '}
        <button type="button" className={styles.field} onClick={() => focusField(problem)}>
          {problem.label}
        </button>
      </span>
    ))}
  </span>
);
