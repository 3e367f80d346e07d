import type { Role } from './policy.js';

export class PolicyEntry {
  /** What may be done, such as members.write. */
  name: string;
  /** The least role that may. */
  role: Role;
  /** Whether it takes a person: API keys are refused, whatever their role. */
  takesPerson: boolean;
}

export class Policy {
  /** From the least role up. */
  roles: Role[];
  permissions: PolicyEntry[];
}
