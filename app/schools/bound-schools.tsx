/** Fields for the schools that an administrator, application or client may use: all schools, or some of them. */

import type { addToken } from '#server/learners/tokens.contract.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';

const { CheckField, ChecksField } = fieldsOf<typeof addToken>();

interface OfferedSchools {
  schools: readonly { id: number; name: string }[];
  /** True if the signed-in administrator may grant all schools. */
  everySchool: boolean;
}

interface BoundSchoolsProps extends OfferedSchools {
  /**
   * Labels. `every`: the checkbox for all schools. `some`: the list beside that checkbox. `only`: the list, if all
   * schools cannot be granted.
   */
  labels?: { every: string; some: string; only: string };
}

const usualLabels = {
  every: '全部学校，包括以后添加的',
  some: '只限这些学校（未勾选“全部学校”时）',
  only: '限于这些学校',
};

export function BoundSchools({ schools, everySchool, labels = usualLabels }: BoundSchoolsProps) {
  return (
    <>
      {everySchool && <CheckField name="every_school" label={labels.every} />}
      <ChecksField
        name="school_ids"
        label={everySchool ? labels.some : labels.only}
        inline
        choices={choicesOf(schools)}
      />
    </>
  );
}

/** Initial values: as many schools as the administrator may grant. */
export const maxSchools = ({ schools, everySchool }: OfferedSchools) => ({
  every_school: everySchool ? (1 as const) : ('' as const),
  school_ids: everySchool ? [] : schools.map(({ id }) => id),
});
