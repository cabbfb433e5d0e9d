import Bowser from 'bowser';

/** Browsers may send any text; longer ones than any browser's are not parsed. */
const maxLength = 1000;

/**
 * Returns the browser and system of a User-Agent header, for example `Chrome on Android`; empty if
 * neither is known.
 */
export function describeDevice(userAgent: string): string {
  if (userAgent === '' || userAgent.length > maxLength) return '';
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ');
}
