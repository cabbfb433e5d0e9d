import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is narrow, for what a stylesheet alone cannot arrange. */
export const useIsPhone = () => useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
