import type { ConversionEventDetail } from '~/api/types';
import { eventFieldLabels } from '~/domain/conversions/event-fields';
import type { EventField } from '~/domain/conversions/event-fields';
import { formatAmount } from '~/domain/conversions/event-state';
import { formatMoment } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Figure, FigureRow } from '~/ui/data/Figures';
import { JsonBlock } from '~/ui/data/JsonBlock';
import { Section } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import styles from './EventLife.module.css';
import { LifeSteps } from './LifeSteps';

const labelOf = (name: string): string => eventFieldLabels[name as EventField] ?? name;

function Figures({ event }: { event: ConversionEventDetail }) {
  const now = useNow();
  const { value, currency, occurredAt, attempts, identifiers, adjustments } = event;
  return (
    <FigureRow>
      <Figure
        label="Value"
        value={formatAmount(value, currency)}
        note={adjustments.length === 0 ? 'No adjustments' : plural(adjustments.length, 'adjustment')}
      />
      <Figure
        label="Occurred"
        value={occurredAt === null ? '—' : formatMoment(occurredAt, now)}
        note={occurredAt === null ? 'Not readable' : formatPast(occurredAt, now)}
      />
      <Figure
        label="Attempts"
        value={String(attempts)}
        note={event.sentAt === null ? 'Not sent' : `Sent ${formatPast(event.sentAt, now)}`}
      />
      <Figure
        label="Identifiers"
        value={String(identifiers.length)}
        note={identifiers.length === 0 ? 'None' : identifiers.map(labelOf).join(', ')}
      />
    </FigureRow>
  );
}

function Facts({ event }: { event: ConversionEventDetail }) {
  const code = (text: string | null) => (text === null ? '—' : <code className={styles.code}>{text}</code>);
  return (
    <>
      <Section title="What was read">
        <DescriptionList
          facts={[
            { label: 'Conversion', value: event.conversionName },
            { label: 'Deduplication key', value: code(event.dedupeKey) },
            { label: 'Order ID', value: code(event.orderId) },
            { label: 'Click ID', value: code(event.clickId) },
            ...(event.adjusts === null ? [] : [{ label: 'Refunded event', value: code(event.adjusts) }]),
            ...(event.rulesVersion === null ? [] : [{ label: 'Hash rules', value: code(event.rulesVersion) }]),
          ]}
        />
      </Section>
      {event.notes.length > 0 && (
        <Section title="Notes">
          <ul className={styles.notes}>
            {event.notes.map(({ code: noteCode, message }) => (
              <li key={noteCode}>{message}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Payload({ event }: { event: ConversionEventDetail }) {
  return (
    <Section title="What was sent">
      {event.payload === null ? (
        <p className="quiet">Nothing: the event is not eligible, or its payload was deleted.</p>
      ) : (
        <>
          <p className="label">Personal data is stored as SHA-256 only.</p>
          <JsonBlock label={`Payload of ${event.dedupeKey}`} value={event.payload} />
        </>
      )}
    </Section>
  );
}

/** One event: what was read, its steps, and what was sent. `isNarrow`: everything in one column, for the drawer. */
export function EventLife({ event, isNarrow = false }: { event: ConversionEventDetail; isNarrow?: boolean }) {
  const main = (
    <Section title="Timeline">
      <LifeSteps event={event} />
    </Section>
  );
  return (
    <div className={styles.life}>
      <Figures event={event} />
      {isNarrow ? (
        <>
          {main}
          <Facts event={event} />
          <Payload event={event} />
        </>
      ) : (
        <div style={{ marginTop: 20 }}>
          <WithFacts facts={<Facts event={event} />}>
            {main}
            <Payload event={event} />
          </WithFacts>
        </div>
      )}
    </div>
  );
}
