// Turns the theme into a stylesheet while building: a <style> tag made in the browser would need a hole in the CSP.
import { convertCssVariables } from '@mantine/core';
import type { Plugin } from 'vite';
import { completeTheme, themeVariables } from './theme.ts';

const name = 'virtual:theme.css';
/** What Mantine would make the tag with. Loading it works out the variables of Mantine's own theme, whether a tag is made or not. */
const tagMaker = '/MantineCssVariables/MantineCssVariables.mjs';

/** Vite plugin: `import 'virtual:theme.css'` brings the theme's CSS variables, and Mantine's own way to them stays out. */
export function themeStylesheet(): Plugin {
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id === `\0${name}`) return convertCssVariables(themeVariables(completeTheme), ':root');
      return id.endsWith(tagMaker) ? 'export const MantineCssVariables = () => null;' : undefined;
    },
  };
}
