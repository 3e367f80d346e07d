import { IconArrowRight, IconPlugConnected, IconSandbox, IconSparkles } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { DeletedOrganizations } from '~/components/organization/DeletedOrganizations';
import { OrganizationForm } from '~/components/organization/OrganizationForm';
import { PendingInvitations } from '~/components/organization/PendingInvitations';
import { logFailure } from '~/lib/log-failure';
import { useSession, useUser } from '~/session/session-context';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import styles from './OnboardingPage.module.css';

interface Goal {
  icon: Icon;
  title: string;
  detail: string;
  to: (organizationId: string) => string;
}

const goals: Goal[] = [
  {
    icon: IconPlugConnected,
    title: 'Load ad data into a warehouse',
    detail: 'Connect Google Ads, select accounts and load them into PostgreSQL.',
    to: (organizationId) => paths.createConnection(organizationId, { step: 'source' }),
  },
  {
    icon: IconSparkles,
    title: 'Explore first',
    detail: 'Start without connections.',
    to: paths.connections,
  },
];

const sampleGoal: Goal = {
  icon: IconSandbox,
  title: 'Try with sample data',
  detail: 'The same steps with a sandbox instead of Google. Accounts, metrics and corrections are simulated.',
  to: (organizationId) => paths.createConnection(organizationId, { step: 'source' }),
};

/** Loading data requires a plan on an instance with billing. The choice is kept until the plan is active. */
function PlanNote() {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  if (!config?.billing.isOn) return null;
  return <p className={styles.lead}>Loading data requires a plan. You choose one next, and continue here afterwards.</p>;
}

function Goals({ onChoose }: { onChoose: (goal: Goal) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const shown = config?.isDemo ? [sampleGoal, ...goals.slice(1)] : goals;
  return (
    <ul className={styles.goals}>
      {shown.map((goal) => (
        <li key={goal.title}>
          <button type="button" className={styles.goal} onClick={() => onChoose(goal)}>
            <goal.icon {...icon} size={20} />
            <span className={styles.text}>
              <span className={styles.title}>{goal.title}</span>
              <span className={styles.detail}>{goal.detail}</span>
            </span>
            <IconArrowRight {...icon} />
          </button>
        </li>
      ))}
    </ul>
  );
}

export default function OnboardingPage() {
  useTitle('Welcome');
  const { displayName } = useUser();
  const navigate = useNavigate();
  const [organizationId, setOrganizationId] = useState<string | null>(null);
  const created = (id: string) => {
    setOrganizationId(id);
    toast.done('Organization created successfully');
  };
  const { refreshOrganizations } = useSession();
  // The list is refreshed when the page is left. Earlier, the page would redirect before step 2 is answered.
  useEffect(() => {
    if (organizationId === null) return;
    return () => void refreshOrganizations().catch((error: unknown) => logFailure('Refresh of the organizations', error));
  }, [organizationId, refreshOrganizations]);
  const choose = (goal: Goal) => {
    if (organizationId !== null) void navigate(goal.to(organizationId));
  };
  if (organizationId !== null)
    return (
      <>
        <p className="label">Step 2 of 2</p>
        <h1>What do you want to do?</h1>
        <PlanNote />
        <Goals onChoose={choose} />
      </>
    );
  return (
    <>
      <p className="label">Step 1 of 2</p>
      <h1>Welcome, {displayName}</h1>
      <PendingInvitations />
      <p className={styles.lead}>An organization contains your connections and the members who can access them.</p>
      <OrganizationForm isDefault submitLabel="Create organization" onCreated={created} />
      <DeletedOrganizations />
    </>
  );
}
