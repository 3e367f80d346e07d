import { Injectable } from '@nestjs/common';

type Listener = (organizationId: string, destinationId: string, actor: string) => Promise<void>;

/** Tells the rooms to the right that a destination has other settings: what it is said to hold may lie elsewhere. */
@Injectable()
export class DestinationChanges {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async tell(organizationId: string, destinationId: string, actor: string): Promise<void> {
    for (const listener of this.listeners) await listener(organizationId, destinationId, actor);
  }
}
