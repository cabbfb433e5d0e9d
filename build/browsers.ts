// The browsers the screens are built for: since spring 2024.
export const browsers = {
  target: 'es2023',
  // light-dark() is to stay as written.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
};
