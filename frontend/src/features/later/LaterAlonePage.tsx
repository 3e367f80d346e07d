import { Brand } from '~/ui/data/Logo';
import styles from './LaterPage.module.css';
import LaterPage from './LaterPage';

/** Where nothing stands around the page it brings its own brand and landmark. */
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
