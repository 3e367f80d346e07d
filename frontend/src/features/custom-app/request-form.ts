import type { Submission, SubmissionChange } from '~/api/types';

/** Values of the form. Empty strings are sent as null. */
export interface RequestValues {
  title: string;
  documentation: string;
  wantedData: string;
  accessKind: string;
  contactEmail: string;
}
export type RequestField = keyof RequestValues;

export const requestFields: RequestField[] = ['title', 'documentation', 'wantedData', 'accessKind', 'contactEmail'];

export const fieldWords: Record<RequestField, string> = {
  title: 'System',
  documentation: 'Documentation',
  wantedData: 'Required data',
  accessKind: 'Authentication',
  contactEmail: 'Contact',
};

const neededWords: Record<RequestField, string> = {
  title: 'Enter the name of the system',
  documentation: 'Enter the URL of the documentation',
  wantedData: 'Describe the data you need',
  accessKind: 'Select the authentication method',
  contactEmail: 'Enter a contact email address',
};

export const accessOptions = [
  { value: 'oauth2', label: 'OAuth sign-in' },
  { value: 'api_key', label: 'API key' },
  { value: 'password', label: 'User and password' },
  { value: 'files', label: 'Files, such as CSV' },
  { value: 'other', label: 'Other' },
];

export const accessWord = (kind: string | null): string => accessOptions.find(({ value }) => value === kind)?.label ?? '—';

export const valuesOf = (submission: Submission): RequestValues => ({
  title: submission.title ?? '',
  documentation: submission.documentation ?? '',
  wantedData: submission.wantedData ?? '',
  accessKind: submission.accessKind ?? '',
  contactEmail: submission.contactEmail ?? '',
});

export const changeOf = (values: RequestValues, version: number): SubmissionChange => {
  const entries = requestFields.map((field) => [field, values[field].trim() === '' ? null : values[field].trim()]);
  return { ...(Object.fromEntries(entries) as Omit<SubmissionChange, 'version'>), version };
};

const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text);
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Validation errors. Missing values are errors only on submit. */
export function errorsOf(values: RequestValues, isSubmit: boolean): Partial<Record<RequestField, string>> {
  const errors: Partial<Record<RequestField, string>> = {};
  for (const field of requestFields) if (isSubmit && values[field].trim() === '') errors[field] = neededWords[field];
  const { documentation, contactEmail } = values;
  if (documentation.trim() !== '' && !isUrl(documentation.trim())) errors.documentation = 'Enter a URL: https://…';
  if (contactEmail.trim() !== '' && !isEmail(contactEmail.trim())) errors.contactEmail = 'Enter a valid email address';
  return errors;
}
