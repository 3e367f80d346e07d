import { CopyButton } from '~/ui/inputs/CopyButton';
import styles from './CodeBlock.module.css';

interface CodeBlockProps {
  /** Unique on the page: `SQL of step 3`. */
  label: string;
  /** Shown above the text: `SQL`. */
  title: string;
  text: string;
}

/** Raw text that can be copied. It scrolls by keyboard, too. */
export const CodeBlock = ({ label, title, text }: CodeBlockProps) => (
  <div className={styles.block}>
    <div className={styles.head}>
      {title}
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
    <pre className={styles.code} tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  </div>
);
