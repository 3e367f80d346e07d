import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconCircleMinus,
  IconCirclePlus,
  IconKey,
  IconPencil,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { PlanItem } from '~/api/types';
import { Status } from '~/components/status/Status';
import { icon } from '~/ui/icon';
import { formatCount } from '~/lib/numbers';
import styles from './Data.module.css';

type Action = PlanItem['action'];

interface Group {
  action: Action;
  title: string;
  tone: React.ComponentProps<typeof Status>['tone'];
  icon: Icon;
}

/** What needs attention first. */
const GROUPS: Group[] = [
  { action: 'conflict', title: 'Conflict', tone: 'danger', icon: IconAlertTriangle },
  { action: 'not_importable', title: 'Not importable', tone: 'warn', icon: IconCircleMinus },
  { action: 'create', title: 'Create', tone: 'good', icon: IconCirclePlus },
  { action: 'change', title: 'Change', tone: 'accent', icon: IconPencil },
  { action: 'unchanged', title: 'Unchanged', tone: 'idle', icon: IconCircleCheck },
];

const KINDS: Record<PlanItem['kind'], string> = {
  app: 'App',
  source: 'Source',
  destination: 'Destination',
  connection: 'Connection',
  conversion: 'Conversion',
  payment: 'Payment',
  webhook: 'Webhook',
  notification_rule: 'Notification rule',
};

const Item = ({ item }: { item: PlanItem }) => (
  <li className={styles.item}>
    <span className={styles.kind}>{KINDS[item.kind]}</span>
    <span className={styles.name}>
      {item.name} {item.reason !== null && <code className={styles.place}>{item.place}</code>}
    </span>
    <span className={styles.lines}>
      {item.reason !== null && <span>{item.reason}</span>}
      {item.needs !== null && (
        <Status icon={IconKey} tone="warn">
          {item.needs}
        </Status>
      )}
      {item.changes.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  </li>
);

function GroupItems({ group, items }: { group: Group; items: PlanItem[] }) {
  const head = (
    <span className={styles.groupHead}>
      <Status icon={group.icon} tone={group.tone}>
        {group.title}
      </Status>
      <span className="label">{formatCount(items.length)}</span>
    </span>
  );
  const list = (
    <ul className={styles.items} aria-label={group.title}>
      {items.map((item) => (
        <Item key={item.place} item={item} />
      ))}
    </ul>
  );
  if (group.action !== 'unchanged')
    return (
      <div className={styles.group}>
        {head}
        {list}
      </div>
    );
  return (
    <details className={styles.group}>
      <summary>
        <IconChevronRight {...icon} size={14} className={styles.chevron} />
        {head}
      </summary>
      {list}
    </details>
  );
}

/** The entries of a plan or a result, by what happens with them. */
export const PlanTable = ({ items, label }: { items: PlanItem[]; label: string }) => (
  <div className={styles.table} role="group" aria-label={label}>
    {items.length === 0 && <p className={styles.text}>The file has no entries.</p>}
    {GROUPS.map((group) => {
      const own = items.filter(({ action }) => action === group.action);
      return own.length > 0 && <GroupItems key={group.action} group={group} items={own} />;
    })}
  </div>
);
