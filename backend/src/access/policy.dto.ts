import type { Role } from './policy.js';

export class PolicyEntry {
  /** Name of the permission, such as members.write. */
  name: string;
  /** The lowest role that has the permission. */
  role: Role;
  /** Whether it requires a person. API keys of any role are then rejected. */
  takesPerson: boolean;
}

export class Policy {
  /** From the lowest to the highest role. */
  roles: Role[];
  permissions: PolicyEntry[];
}
