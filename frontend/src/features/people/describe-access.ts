import type { PersonEntry } from '~/api/types';

const BY: Record<NonNullable<PersonEntry['disabledReason']>, string> = {
  identity_disabled: 'Disabled at the identity provider',
  identity_deleted: 'Deleted at the identity provider',
  staff: 'By platform staff',
};

/** Who or what disabled the person, and the reason if one was given. */
export function describeDisabled({ disabledReason, disabledNote }: PersonEntry): string {
  const by = disabledReason === null ? 'By an operator' : BY[disabledReason];
  return disabledNote === null ? `${by},` : `${by}: ${disabledNote},`;
}
