import { isISO4217CurrencyCode, ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';

/** The list that the web app offers. It has newer codes (XCG, ZWG) and older ones (HRK, CUC) that the library rejects. */
const offered = new Set(Intl.supportedValuesOf('currency'));

@ValidatorConstraint({ name: 'currency' })
export class IsCurrency implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isISO4217CurrencyCode(value) || (typeof value === 'string' && offered.has(value));
  }
  defaultMessage(): string {
    return '$property must be a currency of ISO 4217 such as EUR';
  }
}
