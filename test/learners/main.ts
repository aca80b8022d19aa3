/**
 * `npm run learners -- …`: simulates students who use the learner API, then compares what was acknowledged with the
 * database.
 */
import {
  type ParsedArguments,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { wallClock } from '#server/school/calendar.ts';
import { exitCodeOf } from '#server/school/command-line.ts';
import { differences, stateBefore } from './compare.ts';
import { playLearners, reportOf } from './play.ts';
import { findScene } from './scene.ts';

const usage = `Usage: npm run learners -- [--base URL] [--students 300] [--minutes 1] [--token TOKEN]
                          [--exam ID] [--homework ID] [--saves 8] [--lost 0.05] [--pictures 0.05] [--poll 0]
                          [--signed-in]

Plays students against the calls of the learners' application: they sign in, start an exam (or do a homework), save,
photograph, lose their connection and send the same again, and hand in. Then what they were told is compared with the
database: DATABASE_URL, or school.db in VAR_DIR (default var), the one that the server of --base serves.

They come evenly within the first quarter of the time, each at a moment of their own; from then on each saves, on average,
every so many seconds that all saves fit into the rest of it.

  --base      the server, default http://localhost:3000
  --students  how many; in a demo school those that are missing are added
  --minutes   from the first who comes to the last hand-in
  --token     of the application; in a demo school one is made, and ended afterwards
  --exam      in a demo school one that goes on is chosen where neither this nor --homework is given
  --saves     of each student before handing in
  --lost      share of the calls whose connection is cut before the answer
  --pictures  share of the students who photograph an answer
  --poll      seconds between two looks of each student at the list; 0: never
  --signed-in they sign in before the time begins, fifty at once: a token lasts as long as it is used. Else each signs in
              when they come

Exit code: 0 all is there, once, and nothing was refused; 1 it is not.`;

interface Command {
  base: string;
  minutes: number;
  wishes: { students: number; token?: string; examId?: number; homeworkId?: number };
  manner: { saves: number; lost: number; pictures: number; poll: number; signedIn: boolean };
}

const text = { type: 'string' } as const;
const options = {
  base: { ...text, default: 'http://localhost:3000' },
  students: text,
  minutes: text,
  token: text,
  exam: text,
  homework: text,
  saves: text,
  lost: text,
  pictures: text,
  poll: text,
  'signed-in': { type: 'boolean', default: false },
} as const;

function commandOf(values: ParsedArguments<typeof options>, [word]: string[]): Command | WrongArgument {
  if (word !== undefined) return { wrong: `There is no command "${word}".` };
  const wrong: string[] = [];
  const number = (name: Exclude<keyof typeof options, 'base' | 'token' | 'signed-in'>, usual: number) => {
    const value = Number(values[name] ?? usual);
    if (!Number.isFinite(value) || value < 0) wrong.push(`--${name} is a number, 0 or more.`);
    return value;
  };
  const command = {
    base: values.base.replace(/\/+$/, ''),
    minutes: number('minutes', 1),
    wishes: {
      students: number('students', 300),
      ...(values.token && { token: values.token }),
      ...(values.exam && { examId: number('exam', 0) }),
      ...(values.homework && { homeworkId: number('homework', 0) }),
    },
    manner: {
      saves: number('saves', 8),
      lost: number('lost', 0.05),
      pictures: number('pictures', 0.05),
      poll: number('poll', 0),
      signedIn: values['signed-in'],
    },
  };
  return wrong[0] === undefined ? command : { wrong: wrong[0] };
}

async function play({ base, minutes, wishes, manner }: Command): Promise<number> {
  const database = openDatabase(databaseLocation());
  const { db } = database;
  try {
    const scene = await findScene(db, { ...wishes, now: wallClock() });
    if ('wrong' in scene) {
      console.error(scene.wrong);
      return 2;
    }
    const before = await stateBefore(db);
    const played = await playLearners(scene, { base: () => base, seconds: minutes * 60, ...manner });
    await scene.end();
    for (const line of reportOf(played)) console.log(line);
    const storage = await createStorage(storageSettings());
    const found = await differences(db, played.acknowledged, { before, storage });
    console.log(found.length === 0 ? 'All of it is in the database, once.' : `${found.length} differences:`);
    for (const line of found.slice(0, 50)) console.log(`  ${line}`);
    return found.length > 0 || played.tally.faults.length > 0 ? 1 : 0;
  } finally {
    await database.destroy();
  }
}

process.exitCode = await exitCodeOf(
  runCommandLine(parseArguments(process.argv.slice(2), options, commandOf), usage, play),
);
