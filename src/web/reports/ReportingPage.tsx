import { Button, Tabs, Title } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import tabStyles from '../ui/navigation/tabs.module.css';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import { DoNowLine } from './DoNowLine.tsx';
import { ReportForm } from './ReportForm.tsx';
import { variants } from './variants.ts';

const tabs = { accident: 'Accident Reporting', incident: 'Incident Reporting' } as const;
type Tab = keyof typeof tabs;

export function ReportingPage() {
  const { get, set } = useUrlState();
  const tab: Tab = get('tab') === 'incident' ? 'incident' : 'accident';
  const variant = variants[tab];

  return (
    <>
      <PageHeading title="Reporting" />
      <DoNowLine />
      <Tabs
        value={tab}
        // The tab is in the URL, so that a reload keeps it.
        onChange={(next) => set({ tab: next === 'incident' ? next : '' }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List className={tabStyles.tabs}>
          {Object.entries(tabs).map(([value, label]) => (
            <Tabs.Tab key={value} value={value} className={tabStyles.tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Button
          component={Link}
          to="/report-hazard"
          variant="default"
          leftSection={<TriangleAlert aria-hidden size={18} />}
          mt="md"
        >
          Report a Hazard
        </Button>
        <Tabs.Panel value={tab} tabIndex={-1}>
          <Title order={2} size="h3" mt="1.5rem" mb="0.5rem">
            {variant.title}
          </Title>
          <ReportForm key={tab} variant={variant} headings={3} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
