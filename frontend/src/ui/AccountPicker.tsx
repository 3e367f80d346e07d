import { Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './AccountPicker.module.css';
import { icon } from './icon';

export interface PickableAccount {
  externalId: string;
  name: string;
  currency: string;
  timeZone: string;
  status: 'enabled' | 'disabled' | 'closed';
}

interface AccountPickerProps {
  accounts: PickableAccount[];
  chosen: string[];
  onChange: (accountIds: string[]) => void;
  isLocked?: boolean;
}

/** From this many on, a list wants a search field. */
const SEARCH_FROM = 8;

/** `413-882-0144`, as Google shows it. */
export const formatAccountId = (externalId: string): string =>
  /^\d{10}$/.test(externalId) ? externalId.replace(/(\d{3})(\d{3})(\d{4})/, '$1-$2-$3') : externalId;

const matches = (account: PickableAccount, search: string) =>
  `${account.name} ${account.externalId} ${formatAccountId(account.externalId)}`
    .toLowerCase()
    .includes(search.trim().toLowerCase());

export function AccountPicker({ accounts, chosen, onChange, isLocked = false }: AccountPickerProps) {
  const [search, setSearch] = useState('');
  const shown = accounts.filter((account) => matches(account, search));
  const open = shown.filter((account) => account.status === 'enabled').map((account) => account.externalId);
  const isAll = open.length > 0 && open.every((id) => chosen.includes(id));
  const isSome = chosen.length > 0;
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const toggleAll = () => onChange(isAll ? chosen.filter((id) => !open.includes(id)) : [...new Set([...chosen, ...open])]);
  return (
    <div>
      {accounts.length >= SEARCH_FROM && (
        <TextInput
          aria-label="Search accounts"
          placeholder="Search accounts"
          leftSection={<IconSearch {...icon} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          mb={8}
        />
      )}
      <div className={styles.head}>
        <Checkbox
          label="All accounts"
          checked={isAll}
          indeterminate={!isAll && isSome}
          onChange={toggleAll}
          disabled={isLocked}
        />
        <span className="label">
          {chosen.length} of {accounts.length} chosen
        </span>
      </div>
      <ul>
        {shown.map((account) => (
          <li key={account.externalId} className={styles.account}>
            <Checkbox
              checked={chosen.includes(account.externalId)}
              onChange={() => toggle(account.externalId)}
              disabled={isLocked || (account.status !== 'enabled' && !chosen.includes(account.externalId))}
              label={
                <span className={styles.label}>
                  <span>{account.name}</span>
                  <span className="mono quiet">{formatAccountId(account.externalId)}</span>
                </span>
              }
            />
            <span className={styles.facts}>
              {account.status === 'enabled'
                ? `${account.currency}, ${account.timeZone}`
                : `${account.status === 'closed' ? 'Closed' : 'Switched off'} at Google`}
            </span>
          </li>
        ))}
        {shown.length === 0 && <li className={styles.none}>No account matches “{search}”.</li>}
      </ul>
    </div>
  );
}
