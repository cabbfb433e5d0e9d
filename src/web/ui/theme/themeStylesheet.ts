// Generates the theme's stylesheet at build time, because the CSP forbids <style> tags.
import { convertCssVariables } from '@mantine/core';
import type { Plugin } from 'vite';
import { completeTheme, themeVariables } from './theme.ts';

const name = 'virtual:theme.css';
/**
 * Mantine's module for that tag. Loading it computes the default variables even if no tag is
 * created.
 */
const tagMaker = '/MantineCssVariables/MantineCssVariables.mjs';

/** Vite plugin: provides `virtual:theme.css` and removes Mantine's own tag. */
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
