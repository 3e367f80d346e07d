import { useMembers } from '~/api/members';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { whoCanPay } from './who-can-pay';

/** Why the user cannot manage billing and who can, or null. */
export function useBillingGate(): string | null {
  const disabledReason = usePermissionGate('billing.write');
  const { data } = useMembers(useOrganizationId());
  return disabledReason === null ? null : whoCanPay(disabledReason, data?.members ?? []);
}
