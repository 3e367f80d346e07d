/** Minimum of the identity provider. */
export const PASSWORD_MIN_LENGTH = 6;
/** Shorter passwords are accepted but rated weak. */
const RECOMMENDED_LENGTH = 10;
export const PASSWORD_HINT = `At least ${PASSWORD_MIN_LENGTH} characters. We recommend ${RECOMMENDED_LENGTH} or more.`;

export interface Strength {
  bars: 0 | 1 | 2 | 3 | 4;
  word: string;
  tone: 'danger' | 'warn' | 'good';
}

const kindsOf = (password: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;

/** Rates a password by length and variety. Only a hint, not enforced. */
export function strengthOf(password: string): Strength {
  if (password === '') return { bars: 0, word: '', tone: 'danger' };
  if (password.length < PASSWORD_MIN_LENGTH) return { bars: 1, word: 'Too short', tone: 'danger' };
  if (password.length < RECOMMENDED_LENGTH)
    return { bars: 2, word: `Weak: use ${RECOMMENDED_LENGTH} or more characters`, tone: 'warn' };
  const points = Math.floor(password.length / 5) + kindsOf(password);
  if (new Set(password).size < 4 || points < 4) return { bars: 2, word: 'Weak', tone: 'warn' };
  if (points < 6) return { bars: 3, word: 'Good', tone: 'good' };
  return { bars: 4, word: 'Strong', tone: 'good' };
}
