import { useEffect, useState } from 'react';
import { getToday } from '#shared/dates.ts';

/** Today, also when a page that was open overnight is shown or used again. */
export function useToday(getTime: () => number = Date.now) {
  const [today, setToday] = useState(() => getToday(new Date(getTime())));
  useEffect(() => {
    const controller = new AbortController();
    const update = () => setToday(getToday(new Date(getTime())));
    document.addEventListener('visibilitychange', update, controller);
    for (const event of ['pageshow', 'focus']) window.addEventListener(event, update, controller);
    return () => controller.abort();
  }, [getTime]);
  return today;
}

/** The day in a form: today until something is entered, then the day of the first input. */
export type FormDay = {
  day?: string;
  /** The day that the form chose itself; undefined once the user has chosen one. */
  givenDay?: string | undefined;
};

/** Returns what changes in a form together with its day. */
export function changeWithDay<Values extends FormDay>(values: Values, changes: Partial<Values>, today: string) {
  if (changes.day !== undefined) return { ...changes, givenDay: undefined };
  return values.day === undefined ? { day: today, givenDay: today, ...changes } : changes;
}

/** Whether a form was begun on an earlier day, which is still its day. */
export const isDayOld = ({ day, givenDay }: FormDay, today: string) =>
  day !== undefined && day === givenDay && day < today;

/** The day of a form, for its field. */
export const showDay = (values: FormDay, today: string) => ({
  value: values.day ?? today,
  note: isDayOld(values, today) && 'You began this form on that day. Check that it is right.',
});
