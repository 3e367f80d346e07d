import { randomUUID } from 'node:crypto';

export interface Message {
  id: string;
  /** ISO time of arrival. */
  at: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** Empty if the message has no HTML part. */
  html: string;
}

const ringSize = 500;

/** The latest messages, newest first. Lost when the process ends. */
export class Mailbox {
  #messages: Message[] = [];

  add(message: Omit<Message, 'id' | 'at'>): Message {
    const added = { id: randomUUID(), at: new Date().toISOString(), ...message };
    this.#messages = [added, ...this.#messages].slice(0, ringSize);
    return added;
  }

  /** Without `to`: all messages. Addresses are compared case-insensitively, like mail servers do. */
  list(to?: string | null): Message[] {
    return this.#messages.filter((message) => !to || message.to.some((address) => address.toLowerCase() === to.toLowerCase()));
  }

  find(id: string): Message | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  empty(): void {
    this.#messages = [];
  }
}
