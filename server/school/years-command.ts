/** The command `npm run school -- years …` creates partitions of school years on PostgreSQL. */
import { parseArguments, runCommandLine } from '#server/platform/configuration/command-line.ts';
import { makeSchoolYears, TablesBusy } from '#server/schema/school-years.ts';
import { wallClock } from './calendar.ts';
import { runOnDatabase } from './command-line.ts';

const usage = `用法：npm run school -- years [学年]

为直到这一学年的各学年建好数据表，如 2030 是2030年9月开始的学年；不写则到下一学年。
服务运行时会自己建好下一学年的表。
退出码：0 完成，1 被拒绝，2 命令写得不对。`;

/** Maximum number of years created in advance, because each partition slows down queries over all years a little. */
const maxAhead = 10;

/** Parses the arguments: the last school year to create, or undefined for the next one. */
const readYearsCommand = (args: string[]) =>
  parseArguments(args, {}, (_, [last, ...more]): { last: number | undefined } | { wrong: string } =>
    more.length > 0 || (last !== undefined && !/^20\d\d$/.test(last))
      ? { wrong: '请写一个学年，如 2030' }
      : { last: last === undefined ? undefined : Number(last) },
  );

const busySentence = ({ year }: TablesBusy) =>
  `The tables of ${year} were not made: somebody is at work on those that they belong to, such as a backup or a long query, and whoever came next would wait as well. Nothing is half done: run it again later. The running server makes those of the next year by itself.`;

/** Runs the command; returns the exit code. */
export const runYearsCommand = (args: string[]): Promise<number> =>
  runCommandLine(readYearsCommand(args), usage, ({ last }) =>
    runOnDatabase(async ({ db }) => {
      const now = wallClock();
      const latest = new Date(now * 1000).getUTCFullYear() + maxAhead;
      if (last !== undefined && last > latest) {
        console.error(`${last} is far away: up to ${latest} can be made.`);
        return 1;
      }
      const years = await makeSchoolYears(db, now, last).catch((error: unknown) => {
        if (error instanceof TablesBusy) return error;
        throw error;
      });
      if (years instanceof TablesBusy) {
        console.error(busySentence(years));
        return 1;
      }
      if (!years) console.log('SQLite has one table for all years: there is nothing to make.');
      else console.log(years.made.length > 0 ? `made ${years.made.join(', ')}` : 'They are there already.');
      return 0;
    }),
  );
