import type { Organization, OrganizationChange } from '~/api/types';

export interface GeneralValues {
  name: string;
  logo: string | null;
  currency: string;
  timeZone: string;
}

export const valuesOf = ({ name, logo, currency, timeZone }: Organization): GeneralValues => ({ name, logo, currency, timeZone });

/** Changed fields only, with the version they are based on. */
export function changeOf(values: GeneralValues, base: Organization): OrganizationChange {
  const name = values.name.trim();
  return {
    version: base.version,
    ...(name === base.name ? {} : { name }),
    ...(values.logo === base.logo ? {} : { logo: values.logo }),
    ...(values.currency === base.currency ? {} : { currency: values.currency }),
    ...(values.timeZone === base.timeZone ? {} : { timeZone: values.timeZone }),
  };
}

const NAMES: Record<keyof GeneralValues, string> = {
  name: 'the name',
  logo: 'the logo',
  currency: 'the currency',
  timeZone: 'the time zone',
};

/** Fields that differ between two versions: `the name and the currency`. */
export function describeChanges(before: Organization, after: Organization): string {
  const keys: (keyof GeneralValues)[] = ['name', 'logo', 'currency', 'timeZone'];
  const changed = keys.filter((key) => before[key] !== after[key]).map((key) => NAMES[key]);
  return changed.length > 0 ? changed.join(' and ') : 'these settings';
}

const currencyNames = new Intl.DisplayNames('en-US', { type: 'currency' });

const withCurrent = (known: string[], current: string): string[] => (known.includes(current) ? known : [current, ...known]);

export const currencyOptions = (current: string): { value: string; label: string }[] =>
  withCurrent(Intl.supportedValuesOf('currency'), current).map((value) => ({
    value,
    label: `${value} – ${currencyNames.of(value) ?? value}`,
  }));

export const timeZoneOptions = (current: string): string[] =>
  withCurrent(['UTC', ...Intl.supportedValuesOf('timeZone')], current);
