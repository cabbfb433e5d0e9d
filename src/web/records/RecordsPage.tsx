// Records and the law, for Admins: records past their period, holds and access requests.
import { Tabs } from '@mantine/core';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import tabStyles from '../ui/navigation/tabs.module.css';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import { AccessPanel } from './AccessPanel.tsx';
import { HoldsPanel } from './HoldsPanel.tsx';
import { RetentionPanel } from './RetentionPanel.tsx';

const tabs = [
  { value: 'retention', label: 'Retention', content: RetentionPanel },
  { value: 'holds', label: 'Holds', content: HoldsPanel },
  { value: 'access', label: 'Access Requests', content: AccessPanel },
];

export function RecordsPage() {
  const { get, set } = useUrlState();
  const current = tabs.find(({ value }) => value === get('tab'))?.value ?? 'retention';
  return (
    <>
      <PageHeading
        title="Records"
        text="How long records are kept, and what a person may ask for. This is advice: you decide."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      />
      <Tabs
        value={current}
        onChange={(value) => set({ tab: value ?? '', request: '' }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List className={tabStyles.tabs} aria-label="Records">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className={tabStyles.tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, content: Content }) => (
          <Tabs.Panel key={value} value={value} pt="lg">
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
