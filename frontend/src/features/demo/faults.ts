import { IconArrowBackUp, IconGauge, IconKeyOff, IconTableMinus } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { DemoFault } from '~/api/demo';

interface FaultText {
  name: DemoFault;
  icon: Icon;
  title: string;
  /** What happens, and how the product reacts. */
  text: string;
  button: string;
}

export const FAULTS: FaultText[] = [
  {
    name: 'expire_token',
    icon: IconKeyOff,
    title: 'Expire the access token',
    text: 'Google rejects the token. The run requests a new one and continues.',
    button: 'Expire token',
  },
  {
    name: 'throttle',
    icon: IconGauge,
    title: 'Throttle the requests',
    text: 'Google rejects two requests and names a wait. The run waits and resumes where it stopped.',
    button: 'Throttle',
  },
  {
    name: 'restate',
    icon: IconArrowBackUp,
    title: 'Restate past days',
    text: 'Google changes the numbers of recent days. The run reads these days again and replaces their rows.',
    button: 'Restate days',
  },
  {
    name: 'drop_rows',
    icon: IconTableMinus,
    title: 'Lose rows in the warehouse',
    text: 'Recent days change, and PostgreSQL loses every 10th row although it confirms it. The run counts the rows and does not turn green.',
    button: 'Lose rows',
  },
];
