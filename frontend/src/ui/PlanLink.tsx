import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { planPathFrom } from '../lib/paths';

/** What a refusal for want of a plan offers when the server names nothing else. */
const CHOOSE = 'Choose a plan';

const usePlanPath = (): string => planPathFrom(useLocation().pathname);

/** In a toast: the one way out. */
export const PlanLink = ({ label, onClick }: { label: string | null; onClick: () => void }) => (
  <Link to={usePlanPath()} onClick={onClick} className="toast-action">
    {label ?? CHOOSE}
  </Link>
);

/** In a notice: the same. */
export const PlanButton = ({ label }: { label: string | null }) => (
  <Button component={Link} to={usePlanPath()} variant="default">
    {label ?? CHOOSE}
  </Button>
);
