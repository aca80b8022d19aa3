/** Who owns the kinds of an import. */
import { importedStaff } from '#server/account/imported.ts';
import { importedCategories, importedGrades, importedRooms, importedSubjects } from '#server/catalogue/imported.ts';
import { importedTerms } from '#server/catalogue/imported-terms.ts';
import { importedClasses } from '#server/classes/imported.ts';
import { importedGroupMembers, importedGroups } from '#server/classes/imported-groups.ts';
import { importedClassCourses, importedClassStaff } from '#server/classes/imported-links.ts';
import { importedCourses } from '#server/courses/imported.ts';
import { importedPeriods } from '#server/courses/imported-periods.ts';
import { importedGroupClasses } from '#server/group-classes/imported.ts';
import type { ImportedKind } from '#server/school/imported.ts';
import { importedSchools } from '#server/school/imported-schools.ts';
import { importedLessons } from '#server/sessions/imported.ts';
import { importedStudents } from '#server/students/imported.ts';
import { importedMembers } from '#server/students/imported-members.ts';
import { type Kind, kinds } from './intended.ts';

export type Owners = ReadonlyMap<Kind, ImportedKind>;

/** In the order in which they are made. A kind that is missing is not imported yet, and an upload is told so. */
export function ownersOf({ timezone, now }: { timezone: string; now: number }): Owners {
  const owned: Partial<Record<Kind, ImportedKind>> = {
    school: importedSchools,
    term: importedTerms,
    category: importedCategories,
    grade: importedGrades,
    subject: importedSubjects,
    room: importedRooms,
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
  };
  return new Map(
    kinds.flatMap((kind): [Kind, ImportedKind][] => {
      const owner = owned[kind];
      return owner ? [[kind, owner]] : [];
    }),
  );
}
