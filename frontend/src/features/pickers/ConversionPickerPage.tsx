import { useLocation } from 'react-router-dom';
import { patterns } from '~/domain/navigation/paths';
import { ConversionDestinationPicker } from './ConversionDestinationPicker';
import { ConversionSourcePicker } from './ConversionSourcePicker';

/** `/addConversionSource` and `/addConversionDestination`: selection of the source or destination of conversions. */
export default function ConversionPickerPage() {
  const { pathname } = useLocation();
  return pathname === patterns.addConversionDestination ? <ConversionDestinationPicker /> : <ConversionSourcePicker />;
}
