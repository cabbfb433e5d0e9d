import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';

/** A delete button; in a list, `label` names what it deletes. */
export const DeleteButton = ({ label, onClick }: { label?: string; onClick: () => void }) => (
  <Button variant="default" leftSection={<Trash2 aria-hidden size={18} />} aria-label={label} onClick={onClick}>
    Delete
  </Button>
);
