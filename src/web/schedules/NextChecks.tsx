// A preview of the schedule that is being entered.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { expandSchedule, toRule } from '#shared/schedules/expand-schedule.ts';
import { type Closure, NewSchedule } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { formatCheckTime } from './text.ts';

const shownChecks = 4;
/** Tried in order: most checks are due within days, a monthly one outside its season within a year. */
const daysToLookAhead = [8, 370];

/** Shows nothing while a field is invalid. Days on which all chosen parks are closed are left out. */
export function NextChecks({ schedule, startsToOpen }: { schedule: unknown; startsToOpen: boolean }) {
  const { data: closures } = useQuery(queryFor(api.listClosures));
  const { data } = NewSchedule.safeParse(schedule);
  if (!data || !closures) return null;
  const checks = listNextChecks(data, closures);
  const count = data.places?.length ?? 0;
  return (
    <Text size="sm" c="dimmed" role="status">
      {checks.length === 0
        ? 'No check is due within a year.'
        : `${count > 1 ? `Next checks of each of ${count} places` : 'Next checks'}: ${checks.map(({ day, opensAt, closesAt }) => formatCheckTime({ day, opens_at: opensAt, closes_at: closesAt })).join('; ')}.`}
      {startsToOpen &&
        ` ${count > 1 ? 'Each place stays' : 'The place stays'} closed until its first check has passed.`}
    </Text>
  );
}

function listNextChecks(schedule: NewSchedule, closures: Closure[], now = new Date()) {
  const today = getToday(now);
  const from = schedule.starts_on > today ? schedule.starts_on : today;
  const isClosed = (day: string) =>
    schedule.parks.every((park) =>
      closures.some((closure) => closure.park === park && closure.starts_on <= day && day <= closure.ends_on),
    );
  for (const days of daysToLookAhead) {
    const until = addDays(from, days);
    const checks = expandSchedule(toRule(schedule), from, until)
      .filter(({ day, closesAt }) => closesAt > now.toISOString() && !isClosed(day))
      .slice(0, shownChecks);
    if (checks.length === shownChecks || days === daysToLookAhead.at(-1)) return checks;
  }
  return [];
}
