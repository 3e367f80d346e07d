import { matchPath } from 'react-router-dom';
import { paths, patterns } from '~/domain/navigation/paths';

export interface PlannedPage {
  title: string;
  text: string;
  alternative: { label: string; to: (organizationId: string) => string };
}

type PageName = Exclude<keyof typeof patterns, 'home'>;

/** Pages that are planned but not available yet, each with a description and an alternative. */
const plannedPages: Partial<Record<PageName, PlannedPage>> = {
  demo: {
    title: 'Demo',
    text: 'The demo will be a read-only tour of an organization with sample data. Until then, connect the sample provider of a demo instance.',
    alternative: { label: 'Go to your organizations', to: paths.organizations },
  },
};

/** The planned page of a path, or null. */
export function plannedPageOf(pathname: string): PlannedPage | null {
  const found = (Object.keys(plannedPages) as PageName[]).find((name) => matchPath(patterns[name], pathname) !== null);
  return (found && plannedPages[found]) ?? null;
}
