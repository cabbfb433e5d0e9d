// Messages for each request; describeFailure puts the server's after `rejected`.

export const createdText = 'User created successfully';
export const existsText = 'User already exists';
export const createErrors = { rejected: 'Error creating user', failed: 'Failed to create user' };
export const deletedText = 'User deleted successfully';
export const deleteErrors = { rejected: 'Failed to delete user', failed: 'Failed to delete user' };
export const assignedText = 'Role and park assigned successfully';
export const assignErrors = { rejected: 'Error assigning role/park', failed: 'Failed to assign role/park' };
export const detailsSavedText = 'Name and email saved';
export const detailsErrors = { rejected: 'Error saving name and email', failed: 'Failed to save name and email' };
