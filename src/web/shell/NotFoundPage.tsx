import { Anchor, Title } from '@mantine/core';
import { Tent } from 'lucide-react';
import { Link } from 'wouter';
import { EmptyIllustration } from '../ui/feedback/EmptyIllustration.tsx';
import styles from './NotFoundPage.module.css';

export const NotFoundPage = () => (
  <div className={styles.page}>
    <EmptyIllustration icon={Tent} />
    <Title order={1} size="h2">
      404 - Page Not Found
    </Title>
    <Anchor component={Link} to="/login" className={styles.link}>
      Go to Login
    </Anchor>
  </div>
);
