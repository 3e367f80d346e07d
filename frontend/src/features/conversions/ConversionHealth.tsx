import type { Conversion } from '~/api/types';
import { HealthStatus } from '~/components/status/Status';
import { healthOf, healthReasonOf } from '~/domain/conversions/conversion-state';
import { useNow } from '~/lib/use-now';
import table from '~/ui/layout/Table.module.css';

/** The health and its reason. */
export function ConversionHealth({ conversion }: { conversion: Conversion }) {
  const now = useNow();
  return (
    <>
      <HealthStatus health={healthOf(conversion)} />
      <span className={table.second}>{healthReasonOf(conversion, now)}</span>
    </>
  );
}
