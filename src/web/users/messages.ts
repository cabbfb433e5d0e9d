// Messages for each request, followed by the server's message after a colon.
import { ApiError } from '#shared/client.ts';

/** `refused` if the server rejected it, `failed` if it could not be reached. */
export function describeFailure(error: unknown, messages: { refused: string; failed: string }): string {
  if (!(error instanceof ApiError) || error.status === 0) return messages.failed;
  return error.message ? `${messages.refused}: ${error.message}` : messages.refused;
}

export const created = 'User created successfully';
export const exists = 'User already exists';
export const notCreated = { refused: 'Error creating user', failed: 'Failed to create user' };
export const deleted = 'User deleted successfully';
export const notDeleted = { refused: 'Failed to delete user', failed: 'Failed to delete user' };
export const assigned = 'Role and park assigned successfully';
export const notAssigned = { refused: 'Error assigning role/park', failed: 'Failed to assign role/park' };
