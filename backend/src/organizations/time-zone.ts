import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { isTimeZone } from '../connectors/kit/moments.js';

@ValidatorConstraint({ name: 'timeZone' })
export class IsTimeZone implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && isTimeZone(value);
  }
  defaultMessage(): string {
    return '$property must be an IANA time zone such as Europe/Berlin';
  }
}
