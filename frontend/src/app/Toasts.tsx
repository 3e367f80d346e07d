import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

/** Loaded after the first screen, because no toast is shown before it. */
const Toasts = () => <Notifications position="bottom-right" limit={3} />;

export default Toasts;
