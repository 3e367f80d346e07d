import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

/** Loaded after the first screen: no toast is ever the first thing to say. */
const Toasts = () => <Notifications position="bottom-right" limit={3} />;

export default Toasts;
