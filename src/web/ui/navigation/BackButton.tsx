import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';

export const BackButton = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} variant="default" leftSection={<ArrowLeft aria-hidden size={18} />}>
    {children}
  </Button>
);
