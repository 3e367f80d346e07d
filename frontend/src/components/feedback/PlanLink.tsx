import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { planPathFrom } from '~/domain/navigation/paths';

const usePlanPath = (): string => planPathFrom(useLocation().pathname);

/** In a toast: the one way out. */
export const PlanLink = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Link to={usePlanPath()} onClick={onClick} className="toast-action">
    {label}
  </Link>
);

/** In a notice: the same. */
export const PlanButton = ({ label }: { label: string }) => (
  <Button component={Link} to={usePlanPath()} variant="default">
    {label}
  </Button>
);
