import { Tabs } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { useUser } from '../client/session.ts';
import { DutyStrip } from '../law/DutyStrip.tsx';
import { FirstStepsLine } from '../overview/FirstStepsLine.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import styles from '../ui/navigation/tabs.module.css';
import { useUrlState } from '../ui/navigation/useUrlState.ts';

const DeliveryHealth = lazyComponent(() => import('../notifications/DeliveryHealth.tsx'), 'DeliveryHealth');

const listWithoutFilters = [{}];
const loading = <Loading shape="rows" />;

type AdminTab = { value: string; label: string; content: ComponentType };

/** In order; each tab is loaded when first opened. */
const tabs: AdminTab[] = [
  {
    value: 'users',
    label: 'User Management',
    content: lazyComponent(() => import('../users/UsersTab.tsx'), 'UsersTab', loading),
  },
  {
    value: 'checklists',
    label: 'Create Checklists',
    content: lazyComponent(() => import('../checklists/ChecklistsTab.tsx'), 'ChecklistsTab', loading),
  },
  {
    value: 'submissions',
    label: 'Submissions',
    content: lazyComponent(() => import('../checklists/submissions/SubmissionsTab.tsx'), 'SubmissionsTab', loading),
  },
];

/** The tab is in the URL, `/admin?tab=checklists`; the first is the default. */
export function AdminPage() {
  const { get, set } = useUrlState();
  const { role } = useUser();
  const requestedTab = get('tab');
  const current = tabs.find(({ value }) => value === requestedTab)?.value ?? tabs[0]?.value ?? '';
  // An opened tab stays mounted, so that input survives a look at another tab.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([current]));
  if (!opened.has(current)) setOpened(new Set([...opened, current]));

  return (
    <>
      <PageHeading title="Admin Panel" />
      <FirstStepsLine />
      {role === 'Admin' && <DeliveryHealth />}
      <DutyStrip lists={listWithoutFilters} />
      <Tabs value={current} onChange={(value) => set({ tab: value ?? '' }, { replace: true })} keepMounted>
        <Tabs.List className={styles.tabs} aria-label="Admin Panel">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className={styles.tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, content: Content }) => (
          <Tabs.Panel key={value} value={value} pt="lg">
            {opened.has(value) && <Content />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
