import { Button, type ButtonProps, polymorphic } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

type IconButtonProps = ButtonProps & { icon: LucideIcon };

/** A button with an icon before its label: not the main one of its form, unless its variant says so. */
export const IconButton = polymorphic<'button', IconButtonProps>(({ icon: Icon, ...props }: IconButtonProps) => (
  <Button variant="default" leftSection={<Icon aria-hidden size={18} />} {...props} />
));
