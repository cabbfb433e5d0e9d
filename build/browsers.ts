// The oldest supported browsers, those of spring 2024.
export const browsers = {
  target: 'es2023',
  // Versions that support light-dark(), so that the build does not replace it.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
};
