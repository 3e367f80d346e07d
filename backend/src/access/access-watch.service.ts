import { Injectable } from '@nestjs/common';
import type { Identity, Permission, Role } from './access.decorator.js';

/** Events of the access guard for other modules. The access module cannot import them. */
export type AccessNotice =
  | { kind: 'refused'; identity: Identity; organizationId: string; permission: Permission; role: Role | null; code: string }
  | { kind: 'visited'; identity: Identity; organizationId: string; permission: Permission }
  /** Called for each request of a person or an API key, so listeners must be quick. */
  | { kind: 'authenticated'; uid: string; isPerson: boolean }
  | { kind: 'email-verified'; identity: Identity }
  | { kind: 'key-used'; apiKeyId: string; organizationId: string };

type Listener = (notice: AccessNotice) => Promise<void>;

@Injectable()
export class AccessWatch {
  private readonly listeners: Listener[] = [];

  onNotice(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Resolves when all listeners are done. A visit is rejected when its audit entry cannot be stored. */
  async notify(notice: AccessNotice): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener(notice)));
  }
}
