import { Button } from '@mantine/core';
import { Link } from 'wouter';

/** To where reviewers create checklists and schedule them. */
export const ChecklistsLink = () => (
  <Button component={Link} to="/admin?tab=checklists" variant="filled">
    Create Checklists
  </Button>
);
