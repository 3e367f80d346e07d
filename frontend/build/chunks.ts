/**
 * Which modules share a chunk. By default the bundler writes a file per set of pages that share a module: 40 requests for a form.
 * `main`: modules of every page. `fields`: modules that the sign-in pages share with others. `frame`: modules of every page inside
 * an organization. `toasts`: modules of the first toast. `parts`: modules of some pages. Other modules are in the chunk of their page.
 */
const mantine = (...components: string[]): string => `@mantine/core/esm/components/(?:${components.join('|')})/`;

const FIELDS = [
  mantine('Input', 'InputBase', 'InputsGroupFieldset', 'TextInput', 'PasswordInput', 'CloseButton', 'Loader'),
  '@mantine/form/',
  'src/features/sign-in/',
  'src/session/(?!permissions|messenger|use-access-in-step|use-verification-mail|use-new-sign-in|second-factor)',
  'src/(?:ui/feedback/Notice|components/status/ProviderMark|components/feedback/toast|api/http/describe-error)',
  'src/lib/(?:numbers|dates|is-record|use-action|focus-first-error)',
  'icons/Icon(?:AlertCircle|AlertTriangle|InfoCircle|CircleCheck|CircleX|ArrowRight)\\.',
];

const FRAME = [
  '@floating-ui/',
  mantine(
    'Popover',
    'Menu',
    'Tooltip',
    'Portal',
    'FocusTrap',
    'ScrollArea',
    'Overlay',
    'ModalBase',
    'Modal',
    'Drawer',
    'Paper',
    'Floating',
  ),
  mantine('SegmentedControl', 'FloatingIndicator', 'Checkbox', 'Switch', 'InlineInput', 'Kbd', 'NativeScrollArea'),
  mantine('Select', 'Combobox', 'Group'),
  'react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|tslib|get-nonce|aria-hidden',
  'src/(?:api|lib)/',
  'src/domain/(?!destinations/json-schema)',
  '@tabler/icons-react/',
  '@mantine/hooks/',
  'src/ui/(?!layout/SettingRow|layout/WizardFooter|inputs/ChoiceList)',
  'src/components/(?:feedback|status|sign-in/use-sign-in|organization/(?:LogoField|OrganizationLogo|read-logo))',
  'src/app/(?:layout/|use-shortcuts)',
  'src/(?:components/list/ListPage|app/banners/)',
  'src/features/connections/(?:list|freshness/FreshnessStrip|DeleteConnectionDialog|ActiveSwitch|describe-connection)',
];

const either = (patterns: string[]): RegExp => new RegExp(patterns.join('|'));

export const chunks = {
  groups: [
    { name: 'main', tags: ['$initial' as const], priority: 4 },
    { name: 'identity', test: /@firebase\/|\/firebase\/|src\/session\/identity\.ts/, priority: 3 },
    { name: 'fields', test: either(FIELDS), minShareCount: 2, priority: 3 },
    { name: 'frame', test: either(FRAME), minShareCount: 2, priority: 2 },
    { name: 'toasts', test: /@mantine\/(?:notifications|store)|react-transition-group|components\/Notification\//, priority: 2 },
    { name: 'parts', minShareCount: 2, priority: 1 },
  ],
};
