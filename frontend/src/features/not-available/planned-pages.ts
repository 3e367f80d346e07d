import { matchPath } from 'react-router-dom';
import { paths, patterns } from '~/domain/navigation/paths';

export interface PlannedPage {
  title: string;
  text: string;
  alternative: { label: string; to: (organizationId: string) => string };
}

type PageName = Exclude<keyof typeof patterns, 'home'>;

const connections = { label: 'Go to connections', to: (organizationId: string) => paths.connections(organizationId) };
const wizard = { label: 'Create a connection', to: (organizationId: string) => paths.createConnection(organizationId) };

const PAYMENTS = 'Payments will add revenue from a payment provider to your ad data. This version loads ad data only.';

/** Pages that are planned but not available yet, each with a description and an alternative. */
const plannedPages: Partial<Record<PageName, PlannedPage>> = {
  demo: {
    title: 'Demo',
    text: 'The demo will be a read-only tour of an organization with sample data. Until then, connect the sample provider of a demo instance.',
    alternative: { label: 'Go to your organizations', to: paths.organizations },
  },
  testBench: {
    title: 'Test bench',
    text: 'The test bench will test source and destination, load a sample and show the requests without writing data. Until then, the last step of the wizard shows the first rows.',
    alternative: wizard,
  },
  payments: { title: 'Payments', text: PAYMENTS, alternative: connections },
  payment: { title: 'Payment', text: PAYMENTS, alternative: connections },
  alerts: {
    title: 'Alerts',
    text: 'Alerts will list problems and recoveries, with configurable recipients. Until then, each connection shows its health and the action to take.',
    alternative: connections,
  },
};

/** The planned page of a path, or null. */
export function plannedPageOf(pathname: string): PlannedPage | null {
  const found = (Object.keys(plannedPages) as PageName[]).find((name) => matchPath(patterns[name], pathname) !== null);
  return (found && plannedPages[found]) ?? null;
}
