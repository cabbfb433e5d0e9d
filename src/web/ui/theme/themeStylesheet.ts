// Generates the theme's stylesheet at build time, because the CSP forbids <style> tags.
import { convertCssVariables, type MantineTheme } from '@mantine/core';
import type { Plugin } from 'vite';
import { colors, completeTheme, themeVariables } from './theme.ts';

const name = 'virtual:theme.css';

/** Vite plugin: provides `virtual:theme.css`, without the colours that nothing uses. */
export function themeStylesheet(): Plugin {
  const ownColors: Partial<MantineTheme['colors']> = colors;
  const theme = { ...completeTheme, colors: ownColors as MantineTheme['colors'] };
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? convertCssVariables(themeVariables(theme), ':root') : undefined),
  };
}
