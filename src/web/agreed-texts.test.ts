// The labels and messages that were agreed with the operator, word for word: none changes by accident.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** `{}` is what the product fills in. */
const texts = `
404 - Page Not Found
Loading...
You must be an admin to log in to this page
Accident Reporting
Incident Reporting
Incident Reporting Form
Sign Here
Save Signature
Submit Report
Submitting...
Processing images...
Reports
Group by Month
List View
Search {} reports...
Report Details
No reports found.
No checklists found.
No checklists available.
No audit folders found
Back to Folders
New Audit
No audits in this folder yet
Create your first audit to get started.
Create First Audit
Untitled Audit
Data issue detected
View Details
Confirm Deletion
Are you sure you want to delete this audit? This action cannot be undone.
Loading audits...
Folder not found
Create New Audit in {}
Urgent?
Mark as already completed
Person who should complete this job
Create Audit
Cancel
Audit created successfully!
Loading audit details...
Download PDF
Save Changes
Not specified
Not assigned
No description provided
Currently set for
Mark as completed
Complete Audit
Confirm Completion
This audit has been marked as completed {}.
Audit not found
Processing data and uploading media files...
Accident report submitted successfully!
Incident report submitted successfully!
Please draw a signature before saving
Progress Saved
(Copy)
Unknown User
Reporter signature is required
Affected party signature is required
Please upload at least one media file
Please fill in all required fields
Your signature is required
Failed to capture signature. Please try again.
Required
Please fill in all required fields.
User already exists
Title is required
Only image files are supported
File upload failed.
No files were uploaded successfully. Please try again.
Error processing files: {}
Invalid credentials
Invalid username or password
Something went wrong
Error uploading {}: {}
Error: Network response was not ok: {}
Error submitting report: Server error: {}
Failed to upload your signature. Please try again.
Failed to upload affected party signature. Please try again.
Error processing files. Please try again.
Error capturing signature: {}
User created successfully
Error creating user
Failed to create user
User deleted successfully
Failed to delete user
Invalid user ID
Role and park assigned successfully
Error assigning role/park
Failed to assign role/park
Checklist created successfully
Failed to create checklist
Error creating checklist
Checklist updated successfully
Failed to update checklist
Error updating checklist
Checklist deleted successfully
Failed to delete checklist
Submitted checklist deleted successfully
Failed to delete submitted checklist
Checklist submitted successfully!
Failed to submit checklist. Please try again.
An error occurred. Please try again.
Progress saved!
Failed to save progress
Progress cleared!
Failed to fetch audit folders
Failed to create audit folder
Failed to update audit folder
Failed to delete audit folder
Failed to fetch folder data
Failed to fetch audits
Failed to load data. Please try again later.
Failed to delete audit
Could not load folder information
Failed to create audit. Please try again.
Failed to load audit details
Failed to mark audit as completed
Failed to update date and time
Failed to update audit
Audit updated successfully
Audit marked as completed successfully
Date and time updated successfully
No submitted checklists match your filters.
Not provided
`;

test('every agreed label and message is in the source, word for word', () => {
  const sources = globSync('{web,shared}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\./.test(file))
    .map((file) =>
      readFileSync(join(root, file), 'utf8')
        .replace(/\$\{[^{}]*\}/g, '{}')
        .replace(/\s+/g, ' '),
    )
    .join('\n');
  const lines = texts.trim().split('\n');
  expect(lines.length).toBeGreaterThan(100);
  // Whole texts: between quotes, tags or what is filled in.
  const isThere = (text: string) => {
    const parts = sources.split(text);
    return parts.slice(1).some((after, index) => {
      const before = parts[index] ?? '';
      return /['"`>}]\s?$/.test(before.slice(-2)) && /^\s?['"`<{:$]/.test(after.slice(0, 2));
    });
  };
  expect(lines.filter((text) => !isThere(text))).toEqual([]);
});
