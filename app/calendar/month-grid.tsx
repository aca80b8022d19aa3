/** The weeks of a month from Monday, with the number of entries per day. */
import type { DayCount } from '#server/calendar/contract.ts';
import { dayName, monthName, weekdayNames, weeksOfMonth } from './days.ts';
import styles from './month-grid.posts.module.css';

interface MonthGridProps {
  date: string;
  today: string;
  counts: DayCount[];
  dayHref: (day: string) => string;
}

export function MonthGrid({ date, today, counts, dayHref }: MonthGridProps) {
  const countOf = new Map(counts.map((day) => [day.date, day.count]));
  return (
    <table className={styles.grid}>
      <caption className="visually-hidden">{monthName(date)}</caption>
      <thead>
        <tr>
          {weekdayNames.map((name) => (
            <th key={name} scope="col" aria-label={`星期${name}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOfMonth(date).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td key={day} data-other={day.slice(0, 7) === date.slice(0, 7) ? undefined : true}>
                <a
                  href={dayHref(day)}
                  aria-current={day === today ? 'date' : undefined}
                  data-chosen={day === date ? true : undefined}
                >
                  <span className="visually-hidden">{dayName(day)}</span>
                  <span className={styles.number} aria-hidden="true">
                    {Number(day.slice(8))}
                  </span>
                  <Count count={countOf.get(day)} />
                  {day === date && <span className="visually-hidden">已选</span>}
                </a>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Count = ({ count }: { count: number | undefined }) =>
  count ? <span className={styles.count}>{count}节</span> : <span className={styles.none} />;
