// Messages for each request; describeFailure puts the server's after `refused`.

export const created = 'User created successfully';
export const exists = 'User already exists';
export const notCreated = { refused: 'Error creating user', failed: 'Failed to create user' };
export const deleted = 'User deleted successfully';
export const notDeleted = { refused: 'Failed to delete user', failed: 'Failed to delete user' };
export const assigned = 'Role and park assigned successfully';
export const notAssigned = { refused: 'Error assigning role/park', failed: 'Failed to assign role/park' };
export const detailsSaved = 'Name and email saved';
export const detailsNotSaved = { refused: 'Error saving name and email', failed: 'Failed to save name and email' };
