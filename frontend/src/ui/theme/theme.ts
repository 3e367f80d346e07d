import { createTheme, rem } from '@mantine/core';
import { components } from './components';
import { mono, sans } from './fonts';
import { amber, dark, gray, green, red, river } from './palettes';

export const theme = createTheme({
  colors: { river, red, amber, green, gray, dark },
  primaryColor: 'river',
  primaryShade: { light: 7, dark: 6 },
  white: '#FFFFFF',
  black: '#181C21',
  autoContrast: false,
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSmoothing: true,
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
  radius: { xs: rem(3), sm: rem(4), md: rem(6), lg: rem(10), xl: rem(16) },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.333', sm: '1.54', md: '1.43', lg: '1.5', xl: '1.4' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.4' },
      h2: { fontSize: rem(16), lineHeight: '1.5' },
      h3: { fontSize: rem(14), lineHeight: '1.43' },
      h4: { fontSize: rem(13), lineHeight: '1.54' },
      h5: { fontSize: rem(12), lineHeight: '1.333' },
      h6: { fontSize: rem(12), lineHeight: '1.333' },
    },
  },
  shadows: {
    xs: 'var(--t-shadow-1)',
    sm: 'var(--t-shadow-1)',
    md: 'var(--t-shadow-2)',
    lg: 'var(--t-shadow-2)',
    xl: 'var(--t-shadow-3)',
  },
  breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '80em', xl: '96em' },
  components,
});
