import type { Conversion } from '~/api/types';
import { HealthStatus } from '~/components/status/Status';
import { healthOf } from '~/domain/conversions/conversion-state';
import table from '~/ui/layout/Table.module.css';

/** The health and its reason. */
export const ConversionHealth = ({ conversion }: { conversion: Conversion }) => (
  <>
    <HealthStatus health={healthOf(conversion)} />
    <span className={table.second}>{conversion.healthReason}</span>
  </>
);
