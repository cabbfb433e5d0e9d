// The theme: slate and sea blue with a warm accent; WCAG AA contrast in light and dark.
import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core';

const seaShades: MantineColorsTuple = [
  '#eff7f8',
  '#dcedef',
  '#b9dade',
  '#8fc4cb',
  '#69b0ba',
  '#459ba7',
  '#2f8793',
  '#257783',
  '#1f6975',
  '#154f59',
];
const sunShades: MantineColorsTuple = [
  '#fff8ea',
  '#fdeecf',
  '#fadc9f',
  '#f6c96d',
  '#f2b54c',
  '#e89f2c',
  '#c8821a',
  '#a06510',
  '#84520b',
  '#653d06',
];
const red: MantineColorsTuple = [
  '#fdf2f0',
  '#f9deda',
  '#f2bab2',
  '#ec9488',
  '#e37364',
  '#da5444',
  '#cc4032',
  '#bc3427',
  '#ab2c20',
  '#8c2118',
];
const grayShades: MantineColorsTuple = [
  '#f5f8f8',
  '#ecf1f2',
  '#e0e7e8',
  '#d1dadc',
  '#bfcacd',
  '#87969b',
  '#5f6f74',
  '#4a595e',
  '#334247',
  '#1d2b30',
];
const darkShades: MantineColorsTuple = [
  '#dbe5e7',
  '#b9c7cb',
  '#9dadb2',
  '#7b8e94',
  '#3a4f57',
  '#2a3e46',
  '#203239',
  '#17272d',
  '#101d22',
  '#0a1418',
];

/** All colours in use; Mantine's others are left out of the stylesheet. */
export const colors = { sea: seaShades, sun: sunShades, red, gray: grayShades, dark: darkShades };

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors,
  black: '#17262b',
  defaultRadius: 'md',
  radius: { md: '0.625rem', lg: '1rem' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '600', textWrap: 'balance' },
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    // 16 px, because iPhones zoom in on smaller fields.
    Input: { defaultProps: { size: 'md' } },
    InputWrapper: { defaultProps: { size: 'md' } },
    InputLabel: { defaultProps: { size: 'md' } },
    InputDescription: { defaultProps: { size: 'md' } },
    InputError: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    Button: { defaultProps: { size: 'md' } },
    // A card, as in our own stylesheets.
    Paper: { defaultProps: { radius: 'lg' } },
  },
});

/** Colours missing in Mantine, for light and dark, used as `var(--page-color)`. */
const ownVariables = {
  '--page-color': ['var(--mantine-color-gray-0)', 'var(--mantine-color-dark-8)'],
  '--line-color': ['var(--mantine-color-gray-3)', 'var(--mantine-color-dark-4)'],
  '--hover-color': ['var(--mantine-color-gray-1)', 'var(--mantine-color-dark-5)'],
  '--field-border-color': ['var(--mantine-color-gray-5)', 'var(--mantine-color-dark-3)'],
  '--current-color': ['var(--mantine-color-sea-0)', '#1d3b43'],
  '--current-text-color': ['var(--mantine-color-sea-9)', 'var(--mantine-color-sea-1)'],
  '--accent-color': ['var(--mantine-color-sun-5)', 'var(--mantine-color-sun-4)'],
  '--drawing-color': ['var(--mantine-color-sea-5)', 'var(--mantine-color-sea-4)'],
  '--good-color': ['#17693a', '#7fd6a0'],
  '--notice-color': ['var(--mantine-color-sun-0)', '#362a14'],
  '--notice-line-color': ['var(--mantine-color-sun-3)', '#6d5220'],
  '--notice-text-color': ['var(--mantine-color-sun-9)', 'var(--mantine-color-sun-1)'],
  '--error-box-color': ['var(--mantine-color-red-0)', '#36201f'],
  '--error-line-color': ['var(--mantine-color-red-2)', '#6b2b25'],
  '--error-text-color': ['var(--mantine-color-red-9)', 'var(--mantine-color-red-1)'],
} as const;
const getColors = (scheme: 0 | 1) =>
  Object.fromEntries(Object.entries(ownVariables).map(([name, both]) => [name, both[scheme]]));

/** Mantine's CSS variables, with those of too little contrast replaced. */
export const themeVariables: CSSVariablesResolver = (complete) => {
  const { variables, light, dark } = defaultCssVariablesResolver(complete);
  return {
    variables,
    light: {
      ...light,
      '--mantine-color-error': 'var(--mantine-color-red-8)',
      '--mantine-color-success': 'var(--mantine-color-sea-8)',
      '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
      '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
      '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
      ...getColors(0),
    },
    dark: {
      ...dark,
      '--mantine-color-body': 'var(--mantine-color-dark-6)',
      '--mantine-color-default': 'var(--mantine-color-dark-7)',
      '--mantine-color-error': 'var(--mantine-color-red-3)',
      '--mantine-color-success': 'var(--mantine-color-sea-3)',
      '--mantine-color-anchor': 'var(--mantine-color-sea-3)',
      '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
      '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
      '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
      ...getColors(1),
    },
  };
};

export const completeTheme = mergeMantineTheme(DEFAULT_THEME, theme);
