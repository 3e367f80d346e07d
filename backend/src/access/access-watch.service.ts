import { Injectable } from '@nestjs/common';
import type { Identity, Permission, Role } from './access.decorator.js';

/** What the guard saw that other rooms keep: access stands left of them and cannot call them. */
export type AccessNotice =
  | { kind: 'refused'; identity: Identity; organizationId: string; permission: Permission; role: Role | null; code: string }
  | { kind: 'visited'; identity: Identity; organizationId: string; permission: Permission }
  /** Called for each request of a person or an API key, so listeners must be quick. */
  | { kind: 'authenticated'; uid: string }
  | { kind: 'email-verified'; identity: Identity }
  | { kind: 'key-used'; apiKeyId: string; organizationId: string };

type Listener = (notice: AccessNotice) => Promise<void>;

@Injectable()
export class AccessWatch {
  private readonly listeners: Listener[] = [];

  onNotice(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Resolves when everybody has kept it: a visit that cannot be recorded does not take place. */
  async tell(notice: AccessNotice): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener(notice)));
  }
}
