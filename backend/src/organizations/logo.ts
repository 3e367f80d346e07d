import { ValidatorConstraint, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';

const MOST_BYTES = 200_000;
const DATA_URL = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** First bytes of each format; what a file says of itself is not believed. SVG can carry scripts and is not taken. */
const isFormat: Record<string, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

export function isLogo(value: unknown): boolean {
  const [, format, base64] = typeof value === 'string' ? (DATA_URL.exec(value) ?? []) : [];
  if (!format || !base64) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length <= MOST_BYTES && isFormat[format]?.(bytes) === true;
}

const isHttpsAddress = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 2_000 && URL.canParse(value) && new URL(value).protocol === 'https:';

@ValidatorConstraint({ name: 'logo' })
export class IsLogo implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isLogo(value);
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be a data URL of a PNG, JPEG or WebP picture of at most 200 kB`;
  }
}

@ValidatorConstraint({ name: 'logoOrAddress' })
export class IsLogoOrAddress implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isHttpsAddress(value) || isLogo(value);
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be an https address, or a data URL of a PNG, JPEG or WebP picture of at most 200 kB`;
  }
}
