import { ValidatorConstraint, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { LOGO_PATH } from './logo-url.js';

const MAX_BYTES = 200_000;
const DATA_URL = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const OWN_URL = new RegExp(`^${LOGO_PATH}/[0-9a-f-]{36}$`);

/** Checks the first bytes of each format, because the declared type can be wrong. SVG is rejected: it can contain scripts. */
const isFormat: Record<string, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

export interface Logo {
  contentType: string;
  content: Buffer;
}

/** The picture of a data URL; null when it is not accepted as a logo. */
export function readLogo(value: unknown): Logo | null {
  const [, format, base64] = typeof value === 'string' ? (DATA_URL.exec(value) ?? []) : [];
  if (!format || !base64) return null;
  const content = Buffer.from(base64, 'base64');
  if (content.length > MAX_BYTES || !isFormat[format]?.(content)) return null;
  return { contentType: `image/${format}`, content };
}

const ACCEPTED = 'must be a data URL of a PNG, JPEG or WebP picture of at most 200 kB';

@ValidatorConstraint({ name: 'logo' })
export class IsLogo implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return readLogo(value) !== null;
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} ${ACCEPTED}. URLs are not accepted`;
  }
}

@ValidatorConstraint({ name: 'logoOrCurrentUrl' })
export class IsLogoOrCurrentUrl implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return (typeof value === 'string' && OWN_URL.test(value)) || readLogo(value) !== null;
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} ${ACCEPTED}, or the current URL of the logo`;
  }
}
