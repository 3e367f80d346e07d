import { Injectable } from '@nestjs/common';

type Listener = (organizationId: string, appId: string, actor: string) => Promise<void>;

/** Tells the rooms to the right that a dead app lives again: what waited for it goes on by itself. */
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
