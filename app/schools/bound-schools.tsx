/** Which schools somebody looks after, or an application or another system is let in for: all of them, or some. */

import type { addToken } from '#server/learners/tokens.contract.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';

const { CheckField, ChecksField } = fieldsOf<typeof addToken>();

interface Offered {
  /** Those that the administrator looks after. */
  schools: readonly { id: number; name: string }[];
  /** Whether those are all of them. */
  everySchool: boolean;
}

interface BoundSchoolsProps extends Offered {
  /** What the fields are called: `some` beside that of all of them, `only` where that is not offered. */
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

/** What the fields show at first: as many schools as may be given. */
export const maxSchools = ({ schools, everySchool }: Offered) => ({
  every_school: everySchool ? (1 as const) : ('' as const),
  school_ids: everySchool ? [] : schools.map(({ id }) => id),
});
