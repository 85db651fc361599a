// The theme for Mantine: one accent colour, neutral greys, and text colours with a contrast of at least 4.5 in light
// and dark.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shades of dark teal. The seventh shade is the accent colour. */
const accent: MantineColorsTuple = [
  '#eefbf8',
  '#d3f3ec',
  '#a6e6d9',
  '#72d3c2',
  '#45bba9',
  '#1f9a8a',
  '#0f766e',
  '#0c625b',
  '#0a4f4a',
  '#073c38',
]

const dark: MantineColorsTuple = [
  '#e8ebee',
  '#c9cfd5',
  '#a9b2ba',
  '#838d96',
  '#3a4249',
  '#2b3238',
  '#1d2125',
  '#15181b',
  '#101316',
  '#0b0d0f',
]

const gray: MantineColorsTuple = [
  '#f6f7f8',
  '#eef0f2',
  '#e1e5e8',
  '#cfd5da',
  '#b3bbc2',
  '#8a949d',
  '#5b656e',
  '#434c54',
  '#2d343a',
  '#1a1f23',
]

const red: MantineColorsTuple = [
  '#fef2f2',
  '#fde3e3',
  '#fbcaca',
  '#f6a3a3',
  '#f07d7d',
  '#dc4444',
  '#b42318',
  '#96190f',
  '#7a150d',
  '#5c0f09',
]

const yellow: MantineColorsTuple = [
  '#fff8e6',
  '#feefc7',
  '#fde08f',
  '#f9c84f',
  '#eeae22',
  '#c98a0b',
  '#8a5a00',
  '#754b00',
  '#5d3c00',
  '#452c00',
]

const green: MantineColorsTuple = [
  '#ecfdf3',
  '#d5f5e1',
  '#abe9c3',
  '#79d89f',
  '#4fc37f',
  '#2ba660',
  '#157f42',
  '#116a37',
  '#0d542c',
  '#093f20',
]

export const theme = createTheme({
  colors: { accent, dark, gray, red, yellow, green },
  primaryColor: 'accent',
  primaryShade: 6,
  autoContrast: false,
  black: '#1a1f23',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '16px', lg: '20px', xl: '28px' },
  lineHeights: { xs: '1.5', sm: '1.5', md: '1.5', lg: '1.4', xl: '1.3' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '8px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '40px' },
      h2: { fontSize: '28px' },
      h3: { fontSize: '20px' },
      h4: { fontSize: '16px' },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Without a transition, the labels stay readable when the page changes between light and dark.
  components: { SegmentedControl: { defaultProps: { transitionDuration: 0 } } },
})

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#57616a',
    '--mantine-color-placeholder': '#66707a',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0f766e',
    '--ground': '#ffffff',
    '--quiet': '#f6f7f8',
    '--line': '#e1e5e8',
    '--accent': '#0f766e',
    '--accent-ground': '#e6f4f2',
    '--done': '#157f42',
    '--waiting': '#8a5a00',
    '--error': '#b42318',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b2ba',
    '--mantine-color-placeholder': '#98a2ab',
    '--mantine-color-error': '#f6a3a3',
    '--mantine-color-anchor': '#72d3c2',
    '--ground': '#15181b',
    '--quiet': '#1d2125',
    '--line': '#2b3238',
    '--accent': '#72d3c2',
    '--accent-ground': '#12312e',
    '--done': '#79d89f',
    '--waiting': '#f9c84f',
    '--error': '#f6a3a3',
  },
})
