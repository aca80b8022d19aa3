/** Fields for the schools of an administrator, application or other system: all of them, or some. */

import type { addToken } from '#server/learners/tokens.contract.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';

const { CheckField, ChecksField } = fieldsOf<typeof addToken>();

interface Offered {
  schools: readonly { id: number; name: string }[];
  /** True if these are all schools. */
  everySchool: boolean;
}

interface BoundSchoolsProps extends Offered {
  /** Labels: `every` for the option of all schools with `some` beside it; `only` if all is not offered. */
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

/** Initial values: the most that may be granted. */
export const maxSchools = ({ schools, everySchool }: Offered) => ({
  every_school: everySchool ? (1 as const) : ('' as const),
  school_ids: everySchool ? [] : schools.map(({ id }) => id),
});
