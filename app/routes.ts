/**
 * All addresses, as declared in the screens.ts of each subject. Route ids are the names of the screens; other
 * applications rely on them.
 */
import path from 'node:path';
import { layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import * as account from './account/screens.ts';
import * as analysis from './analysis/screens.ts';
import * as attendance from './attendance/screens.ts';
import * as calendar from './calendar/screens.ts';
import * as catalogue from './catalogue/screens.ts';
import * as classes from './classes/screens.ts';
import * as community from './community/screens.ts';
import * as courses from './courses/screens.ts';
import * as courseware from './courseware/screens.ts';
import * as enrolment from './enrolment/screens.ts';
import * as exams from './exams/screens.ts';
import * as exports from './export/screens.ts';
import * as files from './files/screens.ts';
import * as grading from './grading/screens.ts';
import * as groupClasses from './group-classes/screens.ts';
import * as history from './history/screens.ts';
import * as homework from './homework/screens.ts';
import * as identity from './identity/screens.ts';
import * as imports from './import/screens.ts';
import * as learn from './learn/screens.ts';
import type { Addressable, HasRouteFile, ScreenOptions } from './lib/address.ts';
import * as live from './live/screens.ts';
import * as meetings from './meetings/screens.ts';
import * as notices from './notices/screens.ts';
import * as questions from './questions/screens.ts';
import * as schools from './schools/screens.ts';
import * as search from './search/screens.ts';
import * as sessions from './sessions/screens.ts';
import * as settings from './settings/screens.ts';
import * as shell from './shell/screens.ts';
import * as students from './students/screens.ts';
import * as timetable from './timetable/screens.ts';
import * as yearRollover from './year-rollover/screens.ts';

const subjects = {
  account,
  analysis,
  attendance,
  calendar,
  catalogue,
  classes,
  community,
  grading,
  courses,
  courseware,
  enrolment,
  exams,
  export: exports,
  files,
  'group-classes': groupClasses,
  history,
  homework,
  identity,
  import: imports,
  learn,
  live,
  meetings,
  notices,
  questions,
  schools,
  search,
  sessions,
  settings,
  shell,
  students,
  timetable,
  'year-rollover': yearRollover,
};

const isRouted = (one: unknown): one is Addressable & HasRouteFile & ScreenOptions =>
  typeof one === 'object' && one !== null && 'places' in one && 'file' in one;

const all = Object.entries(subjects)
  .flatMap(([folder, declared]) =>
    Object.values(declared)
      .filter(isRouted)
      .flatMap(({ places, file, bare }) =>
        places.map((place) => ({
          ...place,
          folder,
          file: path.join(folder, file.endsWith('.ts') ? file : `${file}.tsx`),
          bare,
        })),
      ),
  )
  .sort((one, other) => (one.pattern < other.pattern ? -1 : 1));
type DeclaredScreen = (typeof all)[number];

/** Returns the route of a screen or dialog, with the dialogs that open over it as child routes. */
const mount = ({ id, path: own, file }: DeclaredScreen): RouteConfigEntry =>
  route(own, file, { id }, all.filter(({ under }) => under === id).map(mount));

const screensOf = (isIn: (one: DeclaredScreen) => boolean) =>
  all.filter((one) => one.under === undefined && isIn(one)).map(mount);

const framed = ['export', 'learn'];

export default [
  ...screensOf(({ bare }) => bare === true),
  layout('export/by-token.ts', [
    layout(
      'shell/layout.tsx',
      { id: 'ExportFrame' },
      screensOf(({ folder }) => folder === 'export'),
    ),
  ]),
  layout(
    'learn/layout.tsx',
    { id: 'LearnerFrame' },
    screensOf(({ folder }) => folder === 'learn'),
  ),
  layout(
    'shell/layout.tsx',
    screensOf(({ folder, bare }) => !bare && !framed.includes(folder)),
  ),
] satisfies RouteConfig;
