import { Injectable } from '@nestjs/common';

type Listener = (organizationId: string, destinationId: string, actor: string) => Promise<void>;

/** Notifies modules that depend on destinations that the settings of one have changed, so its loaded rows may be elsewhere. */
@Injectable()
export class DestinationChanges {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(organizationId: string, destinationId: string, actor: string): Promise<void> {
    for (const listener of this.listeners) await listener(organizationId, destinationId, actor);
  }
}
