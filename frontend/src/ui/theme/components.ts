/**
 * Defaults and styles per component. They are plain objects instead of `Button.extend(…)`: `extend` returns its argument unchanged,
 * and importing the components here would add all of them to the main chunk.
 */
import { rem } from '@mantine/core';
import type { AlertProps, ButtonProps, InputProps, MantineTheme, MantineThemeComponents } from '@mantine/core';
import { sans } from './fonts';

export const components: MantineThemeComponents = {
  Button: {
    defaultProps: { size: 'sm' },
    vars: (_theme: MantineTheme, p: ButtonProps) => ({
      root: {
        '--button-height': { xs: rem(28), sm: rem(32), md: rem(40) }[String(p.size ?? 'sm')] ?? rem(32),
        '--button-padding-x': { xs: rem(10), sm: rem(12), md: rem(16) }[String(p.size ?? 'sm')] ?? rem(12),
        '--button-fz': { xs: rem(12), sm: rem(13), md: rem(14) }[String(p.size ?? 'sm')] ?? rem(13),
      },
    }),
    styles: { root: { fontWeight: 500 }, section: { '--button-section-spacing': rem(6) } },
  },
  ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
  Anchor: { defaultProps: { underline: 'hover' } },
  Input: {
    defaultProps: { size: 'sm' },
    vars: (_theme: MantineTheme, p: InputProps) => ({
      wrapper: {
        '--input-height': p.size === 'md' ? rem(40) : p.size === 'xs' ? rem(28) : rem(32),
        '--input-fz': p.size === 'md' ? rem(14) : rem(13),
        '--input-bd': p.error ? 'var(--t-danger)' : 'var(--t-line-control)',
        '--input-bd-focus': p.error ? 'var(--t-danger)' : 'var(--t-accent)',
      },
    }),
  },
  InputWrapper: {
    defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] },
    styles: {
      label: { fontSize: rem(13), lineHeight: '20px', fontWeight: 500, marginBottom: rem(4) },
      description: { fontSize: rem(12), lineHeight: '16px', color: 'var(--t-ink-3)', marginBottom: rem(6) },
      error: { fontSize: rem(12), lineHeight: '16px', marginTop: rem(6) },
    },
  },
  TextInput: { defaultProps: { size: 'sm' } },
  PasswordInput: { defaultProps: { size: 'sm' } },
  NumberInput: { defaultProps: { size: 'sm' } },
  Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 3 } },
  Select: { defaultProps: { size: 'sm', allowDeselect: false, checkIconPosition: 'right' } },
  Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
  Radio: { defaultProps: { size: 'xs' } },
  // A field below 24 px would be too small a target.
  MultiSelect: { styles: { inputField: { minHeight: rem(24) } } },
  Switch: { defaultProps: { size: 'xs', withThumbIndicator: false } },
  Badge: {
    defaultProps: { variant: 'light', size: 'md', radius: 'sm', color: 'gray' },
    styles: {
      root: {
        textTransform: 'none',
        fontWeight: 500,
        letterSpacing: 0,
        fontSize: rem(12),
        height: rem(20),
        paddingInline: rem(6),
      },
    },
  },
  Table: {
    defaultProps: {
      verticalSpacing: 0,
      horizontalSpacing: 'sm',
      highlightOnHover: true,
      highlightOnHoverColor: 'var(--t-hover)',
      borderColor: 'var(--t-line)',
    },
    styles: {
      th: {
        fontSize: rem(12),
        lineHeight: '16px',
        fontWeight: 500,
        color: 'var(--t-ink-3)',
        height: rem(36),
        whiteSpace: 'nowrap',
      },
      td: { fontSize: rem(13), lineHeight: '20px' },
    },
  },
  Tabs: {
    styles: {
      tab: { fontSize: rem(13), fontWeight: 500, paddingInline: rem(2), paddingBlock: rem(10), marginInlineEnd: rem(22) },
    },
  },
  SegmentedControl: { defaultProps: { size: 'xs', radius: 'md', withItemsBorders: false, transitionDuration: 120 } },
  Card: { defaultProps: { withBorder: true, padding: 'md', radius: 'lg', shadow: undefined } },
  Alert: {
    defaultProps: { variant: 'light', radius: 8 },
    vars: (_theme: MantineTheme, p: AlertProps) => ({
      root: { '--alert-bd': `1px solid var(--mantine-color-${p.color ?? 'river'}-outline)` },
    }),
    styles: {
      root: { paddingBlock: rem(12), paddingInline: rem(14) },
      title: { fontSize: rem(13), fontWeight: 600, color: 'var(--t-ink)' },
      message: { fontSize: rem(13), color: 'var(--t-ink)' },
    },
  },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'lg',
      shadow: 'xl',
      padding: 'lg',
      size: rem(480),
      transitionProps: { transition: 'fade', duration: 120 },
      // Its head is not the banner of the page.
      attributes: { header: { role: 'presentation' } },
      overlayProps: { color: 'var(--t-scrim)', backgroundOpacity: 1 },
    },
    styles: {
      content: { background: 'var(--t-raised)' },
      header: { background: 'var(--t-raised)' },
      title: { fontSize: rem(16), fontWeight: 600 },
    },
  },
  Drawer: {
    defaultProps: {
      position: 'right',
      size: rem(640),
      padding: 'lg',
      shadow: 'xl',
      transitionProps: { duration: 180 },
      attributes: { header: { role: 'presentation' } },
      overlayProps: { color: 'var(--t-scrim)', backgroundOpacity: 1 },
    },
    styles: {
      content: { background: 'var(--t-raised)' },
      header: { background: 'var(--t-raised)' },
      title: { fontSize: rem(16), fontWeight: 600 },
    },
  },
  Menu: {
    defaultProps: {
      shadow: 'md',
      radius: 'lg',
      width: 220,
      // The placeholder is an element that a menu may not contain. The first item gets the focus instead.
      withInitialFocusPlaceholder: false,
      // Everything on a page belongs to a landmark, also what is drawn above it.
      portalProps: { target: 'main' },
      position: 'bottom-end',
      transitionProps: { duration: 120 },
    },
    styles: {
      dropdown: { border: 0, padding: rem(4), background: 'var(--t-raised)' },
      item: { fontSize: rem(13), minHeight: rem(32), paddingBlock: rem(4), borderRadius: rem(6) },
    },
  },
  Popover: { defaultProps: { shadow: 'md', radius: 'lg' }, styles: { dropdown: { border: 0, background: 'var(--t-raised)' } } },
  Tooltip: {
    defaultProps: { openDelay: 250, withArrow: false, radius: 'md', color: 'var(--t-inverse)' },
    styles: { tooltip: { fontSize: rem(12), padding: '4px 8px', color: 'var(--t-on-inverse)' } },
  },
  Notification: {
    defaultProps: { radius: 'lg', withBorder: false },
    styles: { root: { boxShadow: 'var(--t-shadow-2)', background: 'var(--t-raised)' } },
  },
  Progress: { defaultProps: { size: 6, radius: 'xl' }, styles: { root: { background: 'var(--t-press)' } } },
  Skeleton: { defaultProps: { radius: 'sm' } },
  Loader: { defaultProps: { size: 16, type: 'oval' } },
  Kbd: {
    styles: {
      root: {
        fontFamily: sans,
        fontSize: rem(11),
        lineHeight: '16px',
        fontWeight: 500,
        padding: '0 5px',
        borderRadius: rem(4),
        background: 'transparent',
        border: '1px solid var(--t-line)',
        color: 'var(--t-ink-3)',
      },
    },
  },
  Divider: { defaultProps: { color: 'var(--t-line)' } },
  Avatar: { defaultProps: { size: 24, radius: 'xl', color: 'gray', variant: 'light' } },
  Stepper: {
    defaultProps: { size: 'xs', iconSize: 22 },
    styles: { stepLabel: { fontSize: rem(13), fontWeight: 500 }, stepIcon: { borderWidth: 1 } },
  },
  Pagination: { defaultProps: { size: 'sm' } },
  Title: { styles: { root: { letterSpacing: '-0.011em' } } },
};
