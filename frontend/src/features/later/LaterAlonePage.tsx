import { Brand } from '~/ui/data/Logo';
import styles from './LaterPage.module.css';
import LaterPage from './LaterPage';

/** Variant of the placeholder page for the empty layout, with its own header and `main` landmark. */
const LaterAlonePage = () => (
  <div className={styles.alone}>
    <header>
      <Brand size={18} />
    </header>
    <main>
      <LaterPage />
    </main>
  </div>
);

export default LaterAlonePage;
