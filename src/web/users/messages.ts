// Messages for each request; describeFailure puts the server's after `refused`.

export const createdText = 'User created successfully';
export const existsText = 'User already exists';
export const createErrors = { refused: 'Error creating user', failed: 'Failed to create user' };
export const deletedText = 'User deleted successfully';
export const deleteErrors = { refused: 'Failed to delete user', failed: 'Failed to delete user' };
export const assignedText = 'Role and park assigned successfully';
export const assignErrors = { refused: 'Error assigning role/park', failed: 'Failed to assign role/park' };
export const detailsSavedText = 'Name and email saved';
export const detailsErrors = { refused: 'Error saving name and email', failed: 'Failed to save name and email' };
