import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';

export function BackButton({ to, children }: { to: string; children: string }) {
  return (
    <Button component={Link} to={to} variant="default" leftSection={<ArrowLeft aria-hidden size={18} />}>
      {children}
    </Button>
  );
}
