import { Checkbox } from '@mantine/core';
import { eventFieldLabels, isPersonField, mappingGroupsFor, RECORD_ONLY } from '~/domain/conversions/event-fields';
import type { EventField, Mapping, Origin } from '~/domain/conversions/event-fields';
import type { EventRules } from '~/domain/conversions/rules';
import { SettingRow } from '~/ui/layout/SettingRow';
import { OriginField } from './OriginField';

export interface RulesFormProps {
  rules: EventRules;
  onChange: (part: Partial<EventRules>) => void;
  /** The fields of the records. */
  fields: string[];
  isLocked?: boolean;
}

/** The mapping with another origin of one field. */
export function withOrigin(mapping: Mapping, field: EventField, origin: Origin | undefined): Mapping {
  const { [field]: _replaced, ...others } = mapping;
  return origin === undefined ? others : { ...others, [field]: origin };
}

function MappedField({ field, rules, onChange, fields, isLocked }: RulesFormProps & { field: EventField }) {
  const { mapping, hashedFields } = rules;
  const label = eventFieldLabels[field];
  const isHashable = isPersonField(field) && mapping[field] !== undefined;
  return (
    <OriginField
      label={label}
      origin={mapping[field]}
      fields={fields}
      isRecordOnly={RECORD_ONLY.includes(field)}
      isLocked={isLocked}
      onChange={(origin) => onChange({ mapping: withOrigin(mapping, field, origin) })}
    >
      {isHashable && (
        <Checkbox
          label="Already SHA-256"
          aria-label={`${label} is already hashed with SHA-256`}
          checked={hashedFields.includes(field)}
          disabled={isLocked}
          onChange={(event) =>
            onChange({
              hashedFields: event.currentTarget.checked ? [...hashedFields, field] : hashedFields.filter((one) => one !== field),
            })
          }
        />
      )}
    </OriginField>
  );
}

interface MappingFieldsProps extends RulesFormProps {
  /** The identifiers that the platform takes; null: not known yet. */
  taken: readonly string[] | null;
}

/** The mapping of the fields of records to the fields of events. */
export const MappingFields = ({ taken, ...props }: MappingFieldsProps) => (
  <>
    {mappingGroupsFor(taken, props.rules.mapping).map(({ title, hint, fields: group }) => (
      <SettingRow key={title} title={title} hint={hint}>
        {group.map((field) => (
          <MappedField key={field} field={field} {...props} />
        ))}
        {title === 'Person' && props.rules.mapping.externalId && (
          <Checkbox
            mt={8}
            label="Hash the external ID. Every channel that reports to the platform must send it in the same form"
            checked={props.rules.hashesExternalId}
            disabled={props.isLocked}
            onChange={(event) => props.onChange({ hashesExternalId: event.currentTarget.checked })}
          />
        )}
      </SettingRow>
    ))}
  </>
);
