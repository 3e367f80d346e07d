import { Checkbox, Radio, TextInput } from '@mantine/core';
import { eventFieldLabels } from '~/domain/conversions/event-fields';
import type { EventRules } from '~/domain/conversions/rules';
import { countryCode } from '~/domain/conversions/rules';
import { SettingRow } from '~/ui/layout/SettingRow';
import { withOrigin } from './MappingFields';
import type { RulesFormProps } from './MappingFields';
import { OriginField } from './OriginField';
import styles from './Rules.module.css';

interface ChoiceProps<Name extends keyof EventRules> extends Pick<RulesFormProps, 'rules' | 'onChange' | 'isLocked'> {
  name: Name;
  label: string;
  choices: { value: EventRules[Name] & string; label: string; description: string }[];
}

const Choice = <Name extends 'countRule' | 'onUnknownConsent' | 'onUnknownOutcome'>(props: ChoiceProps<Name>) => (
  <Radio.Group
    name={props.name}
    aria-label={props.label}
    value={props.rules[props.name]}
    onChange={(value) => props.onChange({ [props.name]: value })}
  >
    <div className={styles.rows}>
      {props.choices.map((choice) => (
        <Radio key={choice.value} {...choice} disabled={props.isLocked} />
      ))}
    </div>
  </Radio.Group>
);

function Consent({ rules, onChange, fields, isLocked }: RulesFormProps) {
  return (
    <>
      {(['adUserData', 'adPersonalization'] as const).map((field) => (
        <OriginField
          key={field}
          label={eventFieldLabels[field]}
          origin={rules.mapping[field]}
          fields={fields}
          isLocked={isLocked}
          onChange={(origin) => onChange({ mapping: withOrigin(rules.mapping, field, origin) })}
        />
      ))}
      <p className={styles.note}>
        granted, true, yes and 1 are consent; denied, false, no and 0 are none. Any other value is unknown. Events without consent
        are never sent.
      </p>
    </>
  );
}

const UNKNOWN_CONSENT = [
  { value: 'block' as const, label: 'Do not send', description: 'Events are sent only with known consent.' },
  {
    value: 'send' as const,
    label: 'Send',
    description: 'Only if you need no consent for these events. The platform may ignore them.',
  },
];
const COUNT = [
  { value: 'every' as const, label: 'Every event', description: 'For purchases.' },
  { value: 'first_only' as const, label: 'The first of each person', description: 'For leads. Later events are not sent.' },
];
const UNKNOWN_OUTCOME = [
  { value: 'resend' as const, label: 'Send again', description: 'No event is lost, and some may count twice.' },
  { value: 'hold' as const, label: 'Hold', description: 'None counts twice, and some may be lost.' },
];

interface ConsentFieldsProps extends RulesFormProps {
  /** What a refund does at the platform; null if not loaded. */
  refunds: string | null;
  /** The platform removes an event that is sent twice; null if not loaded. */
  removesDuplicates: boolean | null;
}

function Adjustments({ rules, onChange, isLocked, refunds }: ConsentFieldsProps) {
  const isMapped = rules.mapping.adjusts !== undefined;
  return (
    <SettingRow title="Refunds and corrections" hint="Records that name a refunded event.">
      <Checkbox
        label="Send adjustments"
        checked={rules.sendsAdjustments}
        disabled={isLocked === true || (!isMapped && !rules.sendsAdjustments)}
        onChange={(event) => onChange({ sendsAdjustments: event.currentTarget.checked })}
      />
      <p className={styles.note}>
        {refunds}
        {!isMapped && ' First map the field “Refunded event”.'}
      </p>
    </SettingRow>
  );
}

/** Consent, counting, and what happens when no answer arrives. */
export function ConsentFields(props: ConsentFieldsProps) {
  const { rules, onChange, isLocked, removesDuplicates } = props;
  const country = rules.defaultCountry ?? '';
  const part = { rules, onChange, isLocked };
  return (
    <>
      <SettingRow title="Consent" hint="Select a field of the record, or a constant.">
        <Consent {...props} />
      </SettingRow>
      <SettingRow title="If consent is unknown">
        <Choice name="onUnknownConsent" label="If consent is unknown" choices={UNKNOWN_CONSENT} {...part} />
      </SettingRow>
      <SettingRow
        title="Default country"
        hint="For phone numbers without a country code. Without one, such numbers are not sent."
      >
        <TextInput
          w={120}
          value={country}
          maxLength={2}
          placeholder="DE"
          aria-label="Default country"
          disabled={isLocked}
          error={country !== '' && !/^[A-Z]{2}$/.test(country) ? 'Two letters' : null}
          onChange={(event) => onChange({ defaultCountry: countryCode(event.currentTarget.value) })}
        />
      </SettingRow>
      <SettingRow title="Count">
        <Choice name="countRule" label="Count" choices={COUNT} {...part} />
      </SettingRow>
      {removesDuplicates !== true && (
        <SettingRow title="If no answer arrives" hint="It is unknown whether the platform counted the events.">
          <Choice name="onUnknownOutcome" label="If no answer arrives" choices={UNKNOWN_OUTCOME} {...part} />
        </SettingRow>
      )}
      <Adjustments {...props} />
      <SettingRow title="Test code" hint="Marks events as tests at platforms with such a code. Empty: real events.">
        <TextInput
          w={240}
          value={rules.testCode ?? ''}
          maxLength={100}
          aria-label="Test code"
          disabled={isLocked}
          onChange={(event) => onChange({ testCode: event.currentTarget.value || null })}
        />
      </SettingRow>
    </>
  );
}
