// Where a request comes from, as limits count it: whoever has one IPv6 address has a whole network of them.
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 network of an IPv6 one: what one household or park has. */
export function getClientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
