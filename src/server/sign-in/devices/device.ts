import Bowser from 'bowser';

/** Longer texts than any browser sends come from other programs. */
const maxLength = { userAgent: 1000, device: 60 };

/**
 * Returns the browser and system of a User-Agent header, for example `Chrome on Android`; empty if
 * neither is known.
 */
export function describeDevice(userAgent: string): string {
  if (userAgent === '' || userAgent.length > maxLength.userAgent) return '';
  const { browser, os } = Bowser.parse(userAgent);
  const device = [browser.name, os.name].filter(Boolean).join(' on ');
  return device.length > maxLength.device ? '' : device;
}
