import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 'cus_' and random letters, like Stripe's ids. */
export function newId(prefix: string, length = 24): string {
  return prefix + Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
