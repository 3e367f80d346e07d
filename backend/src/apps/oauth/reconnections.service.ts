import { Injectable } from '@nestjs/common';

type Listener = (organizationId: string, appId: string, actor: string) => Promise<void>;

/** Notifies other modules that an app was reconnected, so that its connections resume automatically. */
@Injectable()
export class Reconnections {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(organizationId: string, appId: string, actor: string): Promise<void> {
    for (const listener of this.listeners) await listener(organizationId, appId, actor);
  }
}
