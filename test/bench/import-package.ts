/**
 * Builds a OneRoster package of a school of any size. The full size is 66,109 people, which took another product twenty
 * minutes to import.
 */
import { zipSync } from 'fflate';
import { columnsOf, type FileName, manifestFiles } from '#server/import/formats/oneroster-format.ts';

export const wholeSize = { people: 66_109, courses: 3_643, classes: 3_643, memberships: 66_975 };

/**
 * Every 40th person is a teacher. `share`: fraction of the full size. `changed`: number of students with another name.
 * `tag`: appended to names and user names, so that two packages do not clash.
 */
export function largePackage({
  share = 1,
  changed = 0,
  tag = '',
}: {
  share?: number;
  changed?: number;
  tag?: string;
} = {}): Uint8Array {
  const of = (count: number) => Math.max(1, Math.round(count * share));
  const teachers = of(wholeSize.people / 40);
  const students = of(wholeSize.people) - teachers;
  const [courses, classes, memberships] = [of(wholeSize.courses), of(wholeSize.classes), of(wholeSize.memberships)];
  const schools = Math.max(1, Math.round(share * 40));
  const schoolOf = (at: number) => `o-${at % schools}`;
  const each = (count: number, row: (at: number) => Record<string, string>) =>
    Array.from({ length: count }, (_, at) => row(at));
  const rows: Partial<Record<FileName, Record<string, string>[]>> = {
    orgs: each(schools, (at) => ({ sourcedId: `o-${at}`, name: `第${at + 1}网校${tag}`, type: 'school' })),
    users: [
      ...each(teachers, (at) => ({
        sourcedId: `t-${at}`,
        enabledUser: 'true',
        username: `teacher${at}${tag}`,
        givenName: `师${at}`,
        familyName: '王',
      })),
      ...each(students, (at) => ({
        sourcedId: `s-${at}`,
        enabledUser: 'true',
        username: `student${at}${tag}`,
        givenName: at < changed ? `改${at}` : `生${at}${tag}`,
        familyName: '李',
        identifier: String(20_260_000 + at),
        sms: `139${String(at).padStart(8, '0')}`,
      })),
    ],
    roles: [
      ...each(teachers, (at) => ({
        sourcedId: `rt-${at}`,
        userSourcedId: `t-${at}`,
        roleType: 'primary',
        role: 'teacher',
        orgSourcedId: schoolOf(at),
      })),
      ...each(students, (at) => ({
        sourcedId: `rs-${at}`,
        userSourcedId: `s-${at}`,
        roleType: 'primary',
        role: 'student',
        orgSourcedId: schoolOf(at),
      })),
    ],
    courses: each(courses, (at) => ({ sourcedId: `c-${at}`, title: `课程${at}`, orgSourcedId: schoolOf(at) })),
    academicSessions: [
      {
        sourcedId: 'y-1',
        title: `2026学年${tag}`,
        type: 'schoolYear',
        startDate: '2026-09-01',
        endDate: '2027-07-16',
        schoolYear: '2027',
      },
    ],
    classes: each(classes, (at) => ({
      sourcedId: `k-${at}`,
      title: `班级${at}`,
      courseSourcedId: `c-${at % courses}`,
      classType: 'scheduled',
      schoolSourcedId: schoolOf(at),
      termSourcedIds: 'y-1',
    })),
    enrollments: [
      ...each(classes, (at) => ({
        sourcedId: `et-${at}`,
        classSourcedId: `k-${at}`,
        schoolSourcedId: schoolOf(at),
        userSourcedId: `t-${at % teachers}`,
        role: 'teacher',
        primary: 'true',
      })),
      ...each(memberships, (at) => ({
        sourcedId: `es-${at}`,
        classSourcedId: `k-${(at + Math.floor(at / students)) % classes}`,
        schoolSourcedId: schoolOf(at),
        userSourcedId: `s-${at % students}`,
        role: 'student',
      })),
    ],
  };
  const files = new Map<string, Uint8Array>();
  for (const [file, all] of Object.entries(rows) as [FileName, Record<string, string>[]][]) {
    const names = columnsOf(file).map(({ name }) => name);
    const lines = all.map((row) => names.map((name) => row[name] ?? '').join(','));
    files.set(`${file}.csv`, Buffer.from(`${[names.join(','), ...lines].join('\r\n')}\r\n`));
  }
  const modes = manifestFiles.map((file) => `file.${file},${files.has(`${file}.csv`) ? 'bulk' : 'absent'}`);
  const manifest = ['propertyName,value', 'manifest.version,1.0', 'oneroster.version,1.2', ...modes];
  files.set('manifest.csv', Buffer.from(`${manifest.join('\r\n')}\r\n`));
  return zipSync(Object.fromEntries(files), { level: 1 });
}
