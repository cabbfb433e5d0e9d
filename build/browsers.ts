// Supported browsers: since spring 2024.
export const browsers = {
  target: 'es2023',
  // Keep light-dark() unchanged.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
};
