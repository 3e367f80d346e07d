import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { planPathFrom } from '~/domain/navigation/paths';

const usePlanPath = (): string => planPathFrom(useLocation().pathname);

/** The link to the subscription page in a toast. */
export const PlanLink = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Link to={usePlanPath()} onClick={onClick} className="toast-action">
    {label}
  </Link>
);

/** The link to the subscription page in a notice. */
export const PlanButton = ({ label }: { label: string }) => (
  <Button component={Link} to={usePlanPath()} variant="default">
    {label}
  </Button>
);
