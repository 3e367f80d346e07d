export interface FieldLabel {
  /** Undefined: the place around the field shows what it is. */
  label?: string;
  description?: string;
  error?: string | null;
}
