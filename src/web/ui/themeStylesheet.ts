// Turns the theme into a stylesheet while building: a <style> tag made in the browser would need a hole in the CSP.
import { convertCssVariables } from '@mantine/core';
import type { Plugin } from 'vite';
import { completeTheme, themeVariables } from './theme.ts';

const name = 'virtual:theme.css';

/** Vite plugin: `import 'virtual:theme.css'` brings the theme's CSS variables. */
export function themeStylesheet(): Plugin {
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? convertCssVariables(themeVariables(completeTheme), ':root') : undefined),
  };
}
