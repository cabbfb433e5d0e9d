// Whether the staff of a park share this device, as the server has said last.
import type { OwnSharedDevice } from '#shared/sign-in/shared-devices.ts';
import { deviceItems } from '../browserItems.ts';

type SharedDevice = Pick<OwnSharedDevice, 'park' | 'name' | 'idleMinutes'>;

const key = 'shared-device';

export function getSharedDevice(): SharedDevice | undefined {
  const text = deviceItems.read(key);
  return text ? (JSON.parse(text) as SharedDevice) : undefined;
}

export const rememberSharedDevice = ({ park, name, idleMinutes }: SharedDevice) =>
  deviceItems.write(key, JSON.stringify({ park, name, idleMinutes }));

export const forgetSharedDevice = () => deviceItems.write(key, undefined);
