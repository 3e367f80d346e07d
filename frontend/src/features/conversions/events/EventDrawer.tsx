import { Drawer } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useConversionEvent } from '~/api/conversions/conversion-events';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion, ConversionEventDetail } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { toast } from '~/components/feedback/toast';
import { EventStatus } from '~/components/status/EventStatus';
import { isReplayable } from '~/domain/conversions/event-state';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import styles from './EventDrawer.module.css';
import { EventLife } from './EventLife';

function ReplayButton({ event }: { event: ConversionEventDetail }) {
  const { replay } = useConversionActions(useOrganizationId());
  const disabledReason = usePermissionGate('conversions.write');
  const { run, isBusy } = useAction({ onError: toast.failed });
  const send = async () => {
    await replay(event.conversionId, { eventIds: [event.id] });
    toast.done('The event is sent again');
  };
  return (
    <GatedButton
      variant="default"
      align="end"
      leftSection={<IconRefresh {...icon} />}
      disabledReason={disabledReason}
      loading={isBusy}
      onClick={() => void run(send)}
    >
      Send again
    </GatedButton>
  );
}

interface EventDrawerProps {
  conversion: Conversion;
  eventId: string | null;
  onClose: () => void;
}

/** One event with its whole life. */
export function EventDrawer({ conversion, eventId, onClose }: EventDrawerProps) {
  const { data, error, mutate } = useConversionEvent(useOrganizationId(), conversion.id, eventId);
  return (
    <Drawer
      opened={eventId !== null}
      onClose={onClose}
      size={640}
      title={data ? `Event ${data.orderId ?? data.dedupeKey}` : 'Event'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ content: styles.drawer }}
    >
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this event"
        skeleton={<TableSkeleton label="Loading the event" rows={6} widths={['40%', '20%', 60]} />}
      >
        {(event) => (
          <>
            <div className={styles.head}>
              <EventStatus state={event.state} />
              {isReplayable(event.state) && event.payload !== null && <ReplayButton event={event} />}
            </div>
            <EventLife event={event} isNarrow />
          </>
        )}
      </LoadedContent>
    </Drawer>
  );
}
