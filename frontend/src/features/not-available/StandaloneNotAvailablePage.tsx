import { Brand } from '~/ui/data/Logo';
import styles from './NotAvailablePage.module.css';
import NotAvailablePage from '~/features/not-available/NotAvailablePage';

/** Variant of the placeholder page for the empty layout, with its own header and `main` landmark. */
const StandaloneNotAvailablePage = () => (
  <div className={styles.alone}>
    <header>
      <Brand size={18} />
    </header>
    <main>
      <NotAvailablePage />
    </main>
  </div>
);

export default StandaloneNotAvailablePage;
