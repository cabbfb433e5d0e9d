import type { SendError } from './items.ts';

export const unreachable = 'The server could not be reached.';

/** Our own errors have a message for people; of any other response, its text or its status. */
export const getErrorReason = ({ status, message, text }: SendError): string =>
  message || text || (status === 0 ? unreachable : String(status));
