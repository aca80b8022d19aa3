import { importedStaff } from '#server/account/importer.ts';
import { categoryImporter, gradeImporter, roomImporter, subjectImporter } from '#server/catalogue/importer.ts';
import { importedTerms } from '#server/catalogue/term-importer.ts';
import { importedGroups } from '#server/classes/group-importer.ts';
import { importedGroupMembers } from '#server/classes/group-member-importer.ts';
import { importedClasses } from '#server/classes/importer.ts';
import { importedClassCourses, importedClassStaff } from '#server/classes/staff-importer.ts';
import { importedCourses } from '#server/courses/importer.ts';
import { importedPeriods } from '#server/courses/period-importer.ts';
import { importedMembers } from '#server/enrolment/importer.ts';
import { importedExams } from '#server/exams/importer.ts';
import { importedGroupClasses } from '#server/group-classes/importer.ts';
import type { Importer } from '#server/school/importer.ts';
import { importedSchools } from '#server/schools/importer.ts';
import { importedLessons } from '#server/sessions/importer.ts';
import { importedStudents } from '#server/students/importer.ts';
import { type RecordKind, recordKinds } from './source-record.ts';

export type ImporterByKind = ReadonlyMap<RecordKind, Importer>;

/**
 * Returns the importer of each kind, in the order in which records are created. Kinds without an importer are refused.
 */
export function importersByKind({ timezone, now }: { timezone: string; now: number }): ImporterByKind {
  const owned: Partial<Record<RecordKind, Importer>> = {
    school: importedSchools,
    term: importedTerms,
    category: categoryImporter,
    grade: gradeImporter,
    subject: subjectImporter,
    room: roomImporter,
    staff: importedStaff,
    student: importedStudents,
    course: importedCourses,
    period: importedPeriods,
    class: importedClasses(timezone, now),
    group_class: importedGroupClasses(timezone),
    class_course: importedClassCourses,
    class_staff: importedClassStaff,
    membership: importedMembers,
    group: importedGroups,
    group_member: importedGroupMembers,
    lesson: importedLessons,
    exam: importedExams,
  };
  return new Map(
    recordKinds.flatMap((kind): [RecordKind, Importer][] => {
      const owner = owned[kind];
      return owner ? [[kind, owner]] : [];
    }),
  );
}
