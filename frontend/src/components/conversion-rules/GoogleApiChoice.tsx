import { ProviderMark } from '~/components/status/ProviderMark';
import { googleApis } from '~/domain/conversions/google-api';
import type { GoogleApi } from '~/domain/conversions/google-api';
import { ChoiceList } from '~/ui/inputs/ChoiceList';

interface GoogleApiChoiceProps {
  value: GoogleApi;
  isLocked?: boolean;
  onChange: (api: GoogleApi) => void;
}

/** How events reach Google Ads. */
export const GoogleApiChoice = ({ value, isLocked = false, onChange }: GoogleApiChoiceProps) => (
  <ChoiceList
    label="API"
    name="google-api"
    value={value}
    choices={googleApis.map((api) => ({ ...api, mark: <ProviderMark provider="google_ads" />, isClosed: isLocked }))}
    onChange={(id) => onChange(id as GoogleApi)}
  />
);
