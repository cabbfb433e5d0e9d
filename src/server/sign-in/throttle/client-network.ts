// An IPv6 user controls a whole /64, so limits count the /64.
import ipaddr from 'ipaddr.js';

/** Returns the address for IPv4, the /64 network for IPv6, and any other text unchanged. */
export function getClientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
